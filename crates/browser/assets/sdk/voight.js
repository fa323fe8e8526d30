/**
 * `<voight-check>`: wraps any child, intercepts its click in the capture phase, and replays it after the check is
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

const TEXTS = ['originSite', 'eoaAddress', 'contextId', 'baseUrl', 'theme', 'locale', 'collect', 'session'];

/** @param {string} code @param {boolean} [retryable] @returns {VoightError} an error that the service does not know */
const local = (code, retryable = false) => ({ code, retryable, reference: '' });

/** Timeout of a click for lazily loaded modules. They may arrive later; the next click uses them then. */
const PATIENCE_MS = 8000;
/** @returns {Promise<never>} */
const tooLong = () => new Promise((_, reject) => setTimeout(reject, PATIENCE_MS, local('network', true)));

/** @param {string} name */
const attribute = (name) => name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase());

/** Loads the lazy modules. Some browsers cache a failed load by its URL, so a retry uses another URL. That URL has no hash in a
 * page's import map, so a page with an import map always uses the original one.
 * @param {number} missed number of failed loads @returns {Promise<typeof import('./dialog.js')>} */
const modules = (missed) =>
  missed && !document.querySelector('script[type=importmap]')
    ? import(/* webpackIgnore: true */ /* @vite-ignore */ import.meta.url.replace(/[^/]*$/, 'dialog.js?' + missed))
    : import('./dialog.js');

/** @typedef {import('../../types/voight.js').VoightOwnProperties} Own */
const Base = /** @type {new () => HTMLElement & Own} */ (/** @type {unknown} */ (globalThis.HTMLElement ?? class {}));

/** Element `<voight-check>`. Its properties are described in `types/voight.d.ts`. */
export class VoightCheck extends Base {
  static observedAttributes = ['eoa-address', 'context-id', 'base-url', 'collect'];

  /** @type {VoightState} */
  #state = 'idle';
  /** @type {string | null} */
  #receipt = null;
  /** @type {Dialog | null} */
  #dialog = null;
  /** @type {Promise<Dialog> | null} */
  #loading = null;
  /** @type {Promise<string> | null} */
  #running = null;
  /** Number of failed loads of the window's code. */
  #missed = 0;
  /** `true` while the child's own click is replayed. */
  #replaying = false;
  /** Number of the current run: a reset or removal makes earlier runs stale. */
  #turn = 0;
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
      this.addEventListener(type, () => this.collect !== 'open' && this.preload(), { passive: true });
    }
  }

  connectedCallback() {
    // A property that was set before the element was defined hides the accessor with its name.
    const own = /** @type {any} */ (this);
    for (const name of [...TEXTS, 'disabled', 'replay']) {
      if (Object.hasOwn(own, name)) {
        const value = own[name];
        delete own[name];
        own[name] = value;
      }
    }
    if (this.collect === 'mount') this.preload();
  }

  /** Ends an open window, since no frame survives a move in the document. The result of a check is kept. */
  disconnectedCallback() {
    if (this.#running) this.reset();
    this.#dialog?.discard();
    queueMicrotask(() => this.isConnected || this.reset());
  }

  /** Keeps everything: frames survive a move with `moveBefore`. */
  connectedMoveCallback() {}

  /** Resets the element on a change of address or context: a receipt is for one address and context.
   * @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    const stays = name === 'collect' || this.#state === 'idle' || this.#dialog?.changed() || this.#running;
    if (!stays) this.reset();
    if (this.isConnected && this.collect === 'mount') this.preload();
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

  get replay() {
    return this.getAttribute('replay') !== 'false';
  }

  set replay(value) {
    this.setAttribute('replay', String(value));
  }

  /** Loads the window in the background, so that it is ready at the click. */
  preload() {
    if (this.disabled || this.#state === 'verified') return;
    counters();
    if (this.contextId) this.#load().catch(() => {});
  }

  /** Runs a check without a click to replay; returns the check in progress if there is one. Rejects with an error with `code`,
   * `retryable` and `reference` after the dialog is closed: a visitor may retry in the dialog before. */
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
    this.#turn += 1;
    this.#dialog?.destroy();
    this.#dialog = this.#loading = this.#running = this.#receipt = null;
    this.#set('idle');
  }

  #load() {
    this.#loading ??= modules(this.#missed)
      .then(({ Dialog }) => (this.#dialog ??= new Dialog(this)))
      .catch(() => {
        this.#loading = null;
        this.#missed += 1;
        throw local('network', true);
      });
    return this.#loading.then((dialog) => (dialog.prepare(), dialog));
  }

  /** @param {MouseEvent} event */
  #intercept(event) {
    // The target of a click inside the dialog is the element itself.
    const passes = this.#replaying || this.disabled || this.#state === 'verified' || event.target === this;
    if (passes) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // An SVG element inside a button has no click() method.
    const clicked = event.composedPath().find((node) => node instanceof HTMLElement);
    this.#verify(/** @type {HTMLElement} */ (clicked)).catch(() => {});
  }

  /** @param {HTMLElement | null} target */
  #verify(target) {
    if (this.#running) return this.#running;
    const turn = ++this.#turn;
    const running = this.#run(target, turn).finally(() => turn === this.#turn && (this.#running = null));
    return (this.#running = running);
  }

  /** @param {HTMLElement | null} target @param {number} turn @returns {Promise<string>} */
  async #run(target, turn) {
    const stale = () => turn !== this.#turn;
    try {
      if (!this.eoaAddress) {
        this.#emit('WalletRequired');
        throw local('wallet_required');
      }
      this.#receipt = null;
      this.#set('opening');
      const dialog = await Promise.race([this.#load(), tooLong()]).catch((error) => {
        if (!stale()) this.#fail(error);
        throw error;
      });
      if (stale()) throw local('cancel');
      return await dialog.open({
        target,
        state: (name) => stale() || this.#set(name),
        emit: (name, detail) => stale() || this.#emit(name, detail),
        fail: (error) => stale() || this.#fail(error),
        receive: (receipt) => stale() || (this.#receipt = receipt),
        replay: () => target && this.replay && !stale() && this.#again(target),
      });
    } catch (error) {
      throw Object.assign(new Error(/** @type {VoightError} */ (error).code), error);
    }
  }

  /** Replays the click on its target, or on the child with which the page replaced it. @param {HTMLElement} target */
  #again(target) {
    const child = target.isConnected ? target : /** @type {HTMLElement | null} */ (this.firstElementChild);
    this.#replaying = true;
    child?.click();
    this.#replaying = false;
  }

  /** @param {VoightError} error */
  #fail(error) {
    this.#set('failed');
    this.#emit('Error', error);
  }

  /** @param {VoightState} name */
  #set(name) {
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

for (const name of TEXTS) {
  Object.defineProperty(VoightCheck.prototype, name, {
    get() {
      return this.getAttribute(attribute(name)) ?? '';
    },
    set(value) {
      if (value == null) this.removeAttribute(attribute(name));
      else this.setAttribute(attribute(name), value);
    },
  });
}

globalThis.customElements?.get('voight-check') ?? globalThis.customElements?.define('voight-check', VoightCheck);
