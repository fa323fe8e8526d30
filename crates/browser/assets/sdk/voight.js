/**
 * `<voight-check>`: wraps any child, holds its activation (`activation.js`), and replays it after the check is completed. Dialog and
 * messaging are in `dialog.js`, which is loaded at the first sign of intent, so that a page without a click loads this file only.
 *
 * Importing this module without a document (during server rendering) defines nothing and throws nothing.
 */

import { ACTIVATION_EVENTS, PREVENTED_EVENTS, isActivation, isComplete, isRelease, record } from './activation.js';
import { hostCounts, startCounting } from './counters.js';

export { hostCounts };

/** @typedef {import('../../types/voight.js').VoightState} VoightState */
/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightAttributes} VoightAttributes */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */
/** @typedef {import('../../types/voight.js').VoightProperties} VoightProperties */
/** @typedef {import('./activation.js').HeldEvent} HeldEvent */
/** @typedef {import('./dialog.js').Dialog} Dialog */

/** Properties that are attributes with a text. */
const TEXT_PROPERTIES = ['originSite', 'eoaAddress', 'contextId', 'baseUrl', 'theme', 'locale', 'preload', 'session'];
/** Properties that are attributes without a value. */
const FLAGS = ['disabled', 'debug'];

/** Attributes that a page has certainly set by mistake, with their values; `diagnostics.js` explains them. */
const MISTAKE = /^(originsite|eoaaddress|contextid|baseurl|replayclick|confirm|labels|sign-?message)=|^theme=(?!(auto|light|dark)?$)|^preload=(?!(intent|mount|open)?$)/;

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
  /** Events of a press that is not complete yet.
   * @type {HeldEvent[]} */
  #held = [];
  /** `true` between the press of Enter or Space inside the element and its release. */
  #isKeyPressed = false;
  /** Event that was handled last.
   * @type {Event | null} */
  #lastEvent = null;
  /** `true` while an event of the activation is replayed. */
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
    // In a closed shadow root the listeners of the page do not see the element.
    for (const type of ACTIVATION_EVENTS) this.addEventListener(type, (event) => this.#hold(event), true);
    for (const type of ['pointerover', 'focusin']) {
      this.addEventListener(type, () => this.preload !== 'open' && this.load());
    }
  }

  connectedCallback() {
    // A property that was set before the element was defined hides the accessor with its name.
    const self = /** @type {any} */ (this);
    for (const name of [...TEXT_PROPERTIES, ...FLAGS, 'replayClick']) {
      if (Object.hasOwn(self, name)) {
        const value = self[name];
        delete self[name];
        self[name] = value;
      }
    }
    if (this.preload === 'mount') this.load();
    const isMistaken = [...this.attributes].some(({ name, value }) => MISTAKE.test(`${name}=${value}`));
    if (isMistaken || this.#isNested) this.#report();
  }

  /** Ends a check in progress, since no frame survives a move in the document. A receipt remains. */
  disconnectedCallback() {
    this.#dialog?.removeFrame();
    // A page may remove an element to insert it elsewhere.
    queueMicrotask(() => {
      const isRemoved = !this.isConnected;
      // After a completed check only the replay of the activation is left.
      const isEnded = this.#state === 'verified' ? isRemoved && this.#dialog?.isOpen : this.#result;
      if (isEnded) this.#cancel(isRemoved ? 'removed' : 'moved');
      else if (!isRemoved) this.#dialog?.makeModal();
    });
  }

  /** Does nothing, because frames survive a move with `moveBefore`. The method prevents the call of `disconnectedCallback`. */
  connectedMoveCallback() {}

  /** Resets the element on a change of address, context or service: a receipt is for one address and context.
   * @param {string} _name @param {string | null} oldValue @param {string | null} newValue */
  attributeChangedCallback(_name, oldValue, newValue) {
    if (oldValue === newValue) return;
    const isChanged = this.#state !== 'idle' && (this.#dialog?.isChanged() ?? true);
    if (isChanged && !this.#dialog?.failChanged() && !this.#result) this.reset();
    if (this.isConnected && this.preload === 'mount') this.load();
  }

  /** An element inside another one is ignored. */
  get #isNested() {
    return Boolean(this.parentElement?.closest('voight-check'));
  }

  get state() {
    return this.#state;
  }

  /** Receipt of the last completed check, or null. It never contains a finding. */
  get receipt() {
    return this.#receipt;
  }

  get replayClick() {
    return this.getAttribute('replay-click') !== 'false';
  }

  set replayClick(value) {
    this.setAttribute('replay-click', String(value));
  }

  /** Loads the window in the background, so that it is ready at the click. */
  load() {
    if (this.disabled || this.#isNested || this.#state === 'verified') return;
    startCounting();
    if (this.contextId) this.#loadDialog().catch(() => {});
  }

  /** Runs a check without a click to replay; returns the promise of the check in progress if there is one. After the dialog is
   * closed without a receipt, rejects with an error with `code`, `retryable` and `reference`. */
  verify() {
    return this.#verify(null);
  }

  /** Cancels the check in progress, as the visitor can. */
  close() {
    if (!this.#dialog?.cancel('page') && this.#state === 'opening') this.#cancel('page');
  }

  /** Resets the element: no receipt, no window. */
  reset() {
    this.#runNumber += 1;
    this.#dialog?.destroy();
    this.#dialog = this.#loading = this.#result = this.#receipt = null;
    this.#setState('idle');
  }

  /** Resets the element and reports it. @param {string} reason */
  #cancel(reason) {
    this.reset();
    this.#emit('Cancel', { reason });
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

  /** Lets the elements hold the events of the page before its other listeners. */
  static {
    const hold = (/** @type {Event} */ event) => {
      for (const node of event.composedPath()) if (#state in node) node.#hold(event);
    };
    if (globalThis.customElements) for (const type of ACTIVATION_EVENTS) addEventListener(type, hold, true);
  }

  /** Holds an event of an activation until a check is completed, and starts the check once the activation is complete.
   * @param {Event} event */
  #hold(event) {
    // Both the page's listeners and the element's own receive an event that is not held.
    if (event === this.#lastEvent) return;
    this.#lastEvent = event;
    const path = event.composedPath();
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    // A text without an element of its own is in the slot.
    const target = /** @type {Node} */ (path[0]).getRootNode() === root ? this : path[0];
    const isOwn = path.includes(/** @type {EventTarget} */ (root.querySelector('dialog')));
    const stop = () => (event.currentTarget === this ? event.stopImmediatePropagation() : event.stopPropagation());
    if (isOwn) {
      // The page's listeners on the element do not receive the events of its dialog; a copy stays in the dialog.
      stop();
      if (event.type === 'click') path[0].dispatchEvent(new Event('click'));
      return;
    }
    if (this.#isReplaying || this.disabled || this.#isNested || !isActivation(event, target)) return;
    // A key that was pressed in the window is released here.
    const isStray = event.isTrusted && event.type === 'keyup' && !this.#isKeyPressed;
    if (/^key[du]/.test(event.type)) this.#isKeyPressed = event.type === 'keydown';
    if (this.#state === 'verified' && !isStray) return;
    stop();
    if (PREVENTED_EVENTS.test(event.type)) event.preventDefault();
    if (this.#result || isStray) return;
    this.#held = record(this.#held, event, target);
    if (isComplete(event)) this.#start();
    else if (isRelease(event)) setTimeout(() => this.#held.length && this.#start());
  }

  /** Starts a check for the held activation. */
  #start() {
    const held = this.#held;
    this.#held = [];
    this.#verify(held).catch(() => {});
  }

  /** @param {HeldEvent[] | null} held */
  #verify(held) {
    if (this.#result) return this.#result;
    const number = ++this.#runNumber;
    const result = this.#run(held, number).finally(() => number === this.#runNumber && (this.#result = null));
    return (this.#result = result);
  }

  /** @param {HeldEvent[] | null} held activation to replay, null for `verify()` @param {number} number @returns {Promise<string>} */
  async #run(held, number) {
    const isStale = () => number !== this.#runNumber;
    try {
      if (!this.eoaAddress) {
        this.#emit('WalletRequired');
        this.#report('wallet_required');
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
        held,
        setState: (name) => isStale() || this.#setState(name),
        emit: (name, detail) => isStale() || this.#emit(name, detail),
        fail: (error) => isStale() || this.#fail(error),
        setReceipt: (receipt) => isStale() || (this.#receipt = receipt),
        report: (code) => this.#report(code),
        pass: (dispatch) => this.#pass(dispatch),
        isStale,
      });
    } catch (error) {
      throw Object.assign(new Error(/** @type {VoightError} */ (error).code), error);
    }
  }

  /** Runs a function while no event is held. @param {() => void} dispatch */
  #pass(dispatch) {
    this.#isReplaying = true;
    try {
      dispatch();
    } finally {
      this.#isReplaying = false;
    }
  }

  /** Explains a mistake to the page's developer. @param {string} [code] @param {string} [reference] */
  #report(code, reference) {
    import('./diagnostics.js').then(({ report }) => report(this, code, reference)).catch(() => console.error('voight-check', code));
  }

  /** @param {VoightError} error */
  #fail(error) {
    this.#setState('failed');
    this.#emit('Error', error);
    this.#report(error.code, error.reference);
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
    if (this.debug) console.info('voight-check', name, detail ?? '', this);
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

for (const name of FLAGS) {
  Object.defineProperty(VoightCheck.prototype, name, {
    get() {
      return this.hasAttribute(name);
    },
    set(value) {
      this.toggleAttribute(name, Boolean(value));
    },
  });
}

globalThis.customElements?.get('voight-check') ?? globalThis.customElements?.define('voight-check', VoightCheck);
