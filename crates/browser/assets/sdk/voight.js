/**
 * `<voight-check>`: wraps any child, intercepts its click in the capture phase, and replays the click after the check is
 * completed. Dialog and messaging are in `dialog.js`, which is loaded at the first sign of intent, so that a page
 * without a click loads this file only.
 *
 * Importing this module without a document (during server rendering) defines nothing and throws nothing.
 */

import { counters } from './counters.js';

/** @typedef {import('../../types/voight.js').VoightState} VoightState */
/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightAttributes} VoightAttributes */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */
/** @typedef {import('../../types/voight.js').VoightProperties} VoightProperties */
/** @typedef {import('./dialog.js').Dialog} Dialog */

/** Properties that are attributes with a text. */
const TEXT_PROPERTIES = ['originSite', 'eoaAddress', 'contextId', 'baseUrl', 'theme', 'locale', 'preload', 'session'];

/** @param {string} code @param {boolean} [retryable] @returns {VoightError} an error of the component itself */
const localError = (code, retryable = false) => ({ code, retryable, reference: '' });

/** Timeout of a click for lazily loaded modules. Modules that load later are used by the next click. */
const LOAD_TIMEOUT_MS = 8000;
/** @returns {Promise<never>} */
const loadTimeout = () => new Promise((_, reject) => setTimeout(reject, LOAD_TIMEOUT_MS, localError('network', true)));

/** @param {string} name of a property @returns {string} name of its attribute */
const attributeName = (name) => name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase());

/** Loads the lazy modules. Some browsers cache a failed load by its URL, so a retry uses another URL. That URL has no hash in a
 * page's import map, so a page with an import map always uses the original one.
 * @param {number} failures number of failed loads @returns {Promise<typeof import('./dialog.js')>} */
const importDialog = (failures) =>
  failures && !document.querySelector('script[type=importmap]')
    ? import(/* webpackIgnore: true */ /* @vite-ignore */ import.meta.url.replace(/[^/]*$/, 'dialog.js?' + failures))
    : import('./dialog.js');

/** @typedef {import('../../types/voight.js').VoightOwnProperties} Own */
const Base = /** @type {new () => HTMLElement & Own} */ (/** @type {unknown} */ (globalThis.HTMLElement ?? class {}));

/** Element `<voight-check>`. Its properties are described in `types/voight.d.ts`. */
export class VoightCheck extends Base {
  static observedAttributes = ['eoa-address', 'context-id', 'base-url', 'preload'];

  /** @type {VoightState} */
  #state = 'idle';
  /** @type {string | null} */
  #receipt = null;
  /** @type {Dialog | null} */
  #dialog = null;
  /** @type {Promise<Dialog> | null} */
  #loading = null;
  /** @type {Promise<string> | null} */
  #result = null;
  /** Number of failed loads of the window's code. */
  #loadFailures = 0;
  /** `true` while the child's own click is replayed. */
  #isReplaying = false;
  /** Number of the current run: a reset or removal makes earlier runs stale. */
  #runNumber = 0;
  #internals = this.attachInternals?.();

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.append(document.createElement('slot'));
    if (root.adoptedStyleSheets) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(':host{display:contents}');
      root.adoptedStyleSheets = [sheet];
    }
    this.#internals?.states?.add(this.#state);
    this.addEventListener('click', (event) => this.#intercept(event), true);
    for (const type of ['pointerover', 'focusin', 'touchstart']) {
      this.addEventListener(type, () => this.preload !== 'open' && this.load(), { passive: true });
    }
  }

  connectedCallback() {
    // A property that was set before the element was defined hides the accessor with its name.
    const self = /** @type {any} */ (this);
    for (const name of [...TEXT_PROPERTIES, 'disabled', 'replayClick']) {
      if (Object.hasOwn(self, name)) {
        const value = self[name];
        delete self[name];
        self[name] = value;
      }
    }
    if (this.preload === 'mount') this.load();
  }

  /** Ends an open window, since no frame survives a move in the document. The result of a completed check remains. */
  disconnectedCallback() {
    if (this.#result) this.reset();
    this.#dialog?.removeFrame();
    queueMicrotask(() => this.isConnected || this.reset());
  }

  /** Does nothing, because frames survive a move with `moveBefore`. The method prevents the call of `disconnectedCallback`. */
  connectedMoveCallback() {}

  /** Resets the element on a change of address or context: a receipt is for one address and context.
   * @param {string} name @param {string | null} oldValue @param {string | null} newValue */
  attributeChangedCallback(name, oldValue, newValue) {
    if (oldValue === newValue) return;
    const isUnaffected = name === 'preload' || this.#state === 'idle' || this.#dialog?.failChanged() || this.#result;
    if (!isUnaffected) this.reset();
    if (this.isConnected && this.preload === 'mount') this.load();
  }

  get state() {
    return this.#state;
  }

  /** Receipt of the last completed check, or null. It never contains a finding. */
  get receipt() {
    return this.#receipt;
  }

  get disabled() {
    return this.hasAttribute('disabled');
  }

  set disabled(value) {
    this.toggleAttribute('disabled', Boolean(value));
  }

  get replayClick() {
    return this.getAttribute('replay-click') !== 'false';
  }

  set replayClick(value) {
    this.setAttribute('replay-click', String(value));
  }

  /** Loads the window in the background, so that it is ready at the click. */
  load() {
    if (this.disabled || this.#state === 'verified') return;
    counters();
    if (this.contextId) this.#loadDialog().catch(() => {});
  }

  /** Runs a check without a click to replay; returns the promise of the check in progress if there is one. After the dialog is
   * closed without a receipt, rejects with an error with `code`, `retryable` and `reference`. */
  verify() {
    return this.#verify(null);
  }

  /** Cancels the check in progress, as the visitor can. */
  close() {
    if (this.#dialog?.cancel() || this.#state !== 'opening') return;
    this.reset();
    this.#emit('Cancel');
  }

  /** Resets the element: no receipt, no window. */
  reset() {
    this.#runNumber += 1;
    this.#dialog?.destroy();
    this.#dialog = this.#loading = this.#result = this.#receipt = null;
    this.#setState('idle');
  }

  /** Loads the dialog's code and the window. */
  #loadDialog() {
    this.#loading ??= importDialog(this.#loadFailures)
      .then(({ Dialog }) => (this.#dialog ??= new Dialog(this)))
      .catch(() => {
        this.#loading = null;
        this.#loadFailures += 1;
        throw localError('network', true);
      });
    return this.#loading.then((dialog) => (dialog.prepare(), dialog));
  }

  /** @param {MouseEvent} event */
  #intercept(event) {
    // The target of a click inside the dialog is the element itself.
    const isIgnored = this.#isReplaying || this.disabled || this.#state === 'verified' || event.target === this;
    if (isIgnored) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // An SVG element inside a button has no click() method.
    const clicked = event.composedPath().find((node) => node instanceof HTMLElement);
    this.#verify(/** @type {HTMLElement} */ (clicked)).catch(() => {});
  }

  /** @param {HTMLElement | null} target */
  #verify(target) {
    if (this.#result) return this.#result;
    const number = ++this.#runNumber;
    const result = this.#run(target, number).finally(() => number === this.#runNumber && (this.#result = null));
    return (this.#result = result);
  }

  /** @param {HTMLElement | null} target @param {number} number @returns {Promise<string>} */
  async #run(target, number) {
    const isStale = () => number !== this.#runNumber;
    try {
      if (!this.eoaAddress) {
        this.#emit('WalletRequired');
        throw localError('wallet_required');
      }
      this.#receipt = null;
      this.#setState('opening');
      const dialog = await Promise.race([this.#loadDialog(), loadTimeout()]).catch((error) => {
        if (!isStale()) this.#fail(error);
        throw error;
      });
      if (isStale()) throw localError('cancel');
      return await dialog.open({
        target,
        setState: (name) => isStale() || this.#setState(name),
        emit: (name, detail) => isStale() || this.#emit(name, detail),
        fail: (error) => isStale() || this.#fail(error),
        setReceipt: (receipt) => isStale() || (this.#receipt = receipt),
        replayClick: () => target && this.replayClick && !isStale() && this.#clickAgain(target),
      });
    } catch (error) {
      throw Object.assign(new Error(/** @type {VoightError} */ (error).code), error);
    }
  }

  /** Replays the click on its target, or on the child with which the page replaced it. @param {HTMLElement} target */
  #clickAgain(target) {
    const child = target.isConnected ? target : /** @type {HTMLElement | null} */ (this.firstElementChild);
    this.#isReplaying = true;
    child?.click();
    this.#isReplaying = false;
  }

  /** @param {VoightError} error */
  #fail(error) {
    this.#setState('failed');
    this.#emit('Error', error);
  }

  /** @param {VoightState} name */
  #setState(name) {
    if (this.#state === name) return;
    this.#internals?.states?.delete(this.#state);
    this.#internals?.states?.add(name);
    this.#state = name;
    this.setAttribute('state', name);
    this.#emit('StateChange', name);
  }

  /** Dispatches an event and calls its handler. An error in the page's handler is reported and does not interrupt the check.
   * @param {string} name @param {unknown} [detail] */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent('voight-' + name.toLowerCase(), { detail, bubbles: true, composed: true }));
    try {
      /** @type {any} */ (this)['on' + name]?.(detail);
    } catch (cause) {
      reportError(cause);
    }
  }
}

for (const name of TEXT_PROPERTIES) {
  Object.defineProperty(VoightCheck.prototype, name, {
    get() {
      return this.getAttribute(attributeName(name)) ?? '';
    },
    set(value) {
      if (value == null) this.removeAttribute(attributeName(name));
      else this.setAttribute(attributeName(name), value);
    },
  });
}

globalThis.customElements?.get('voight-check') ?? globalThis.customElements?.define('voight-check', VoightCheck);
