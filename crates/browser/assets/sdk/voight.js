/**
 * `<voight-check>`: wraps any child, takes its click in the capture phase, and runs it again once the check is
 * completed. Everything that shows or talks is in `dialog.js`, which is loaded at the first sign of intent, so that a
 * page that nobody clicks pays for this file only.
 *
 * Importing this module where there is no document (a server that renders) defines nothing and throws nothing.
 */

import { counters } from './counters.js';

/** @typedef {import('../../types/voight.js').VoightState} VoightState */
/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightAttributes} VoightAttributes */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */
/** @typedef {import('../../types/voight.js').VoightProperties} VoightProperties */
/** @typedef {import('./dialog.js').Dialog} Dialog */

const TEXTS = ['originSite', 'eoaAddress', 'contextId', 'baseUrl', 'theme', 'locale', 'collect', 'session'];

/** @param {string} code @param {boolean} [retryable] @returns {VoightError} of which the service knows nothing */
const local = (code, retryable = false) => ({ code, retryable, reference: '' });

/** A click waits this long for what is loaded lazily; it may come later, and another click finds it then. */
const PATIENCE_MS = 8000;
/** @returns {Promise<never>} */
const tooLong = () => new Promise((_, reject) => setTimeout(reject, PATIENCE_MS, local('network', true)));

/** @param {string} name */
const attribute = (name) => name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase());

/** What is loaded lazily. Some browsers remember what could not be loaded, by its address; another address has no hash in a
 * page's import map, so that a page with one keeps to the first.
 * @param {number} missed how often it could not @returns {Promise<typeof import('./dialog.js')>} */
const modules = (missed) =>
  missed && !document.querySelector('script[type=importmap]')
    ? import(/* webpackIgnore: true */ /* @vite-ignore */ import.meta.url.replace(/[^/]*$/, 'dialog.js?' + missed))
    : import('./dialog.js');

/** @typedef {import('../../types/voight.js').VoightOwnProperties} Own */
const Base = /** @type {new () => HTMLElement & Own} */ (/** @type {unknown} */ (globalThis.HTMLElement ?? class {}));

/** The element. Its properties are described in `types/voight.d.ts`. */
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
  /** How often the window's code could not be loaded. */
  #missed = 0;
  /** Set while the child's own click runs again. */
  #replaying = false;
  /** Reset and removal make what is still under way stale. */
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
    // A property that was set before the element was defined hides the accessor of its name.
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

  /** No frame survives a move, so an open window ends; what a check ended with stays. */
  disconnectedCallback() {
    if (this.#running) this.reset();
    this.#dialog?.discard();
    queueMicrotask(() => this.isConnected || this.reset());
  }

  /** Where there is a move that frames survive (`moveBefore`), everything stays. */
  connectedMoveCallback() {}

  /** A receipt is for one address and context.
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

  /** The receipt of the last completed check, else null. It never carries a finding. */
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

  /** Loads the window behind the scenes, so that the click finds it ready. */
  preload() {
    if (this.disabled || this.#state === 'verified') return;
    counters();
    if (this.contextId) this.#load().catch(() => {});
  }

  /** Runs a check without a click to run again; where one is under way, gives that one. Rejects with an error that carries `code`,
   * `retryable` and `reference`, once the dialog is closed: a visitor may try again in it. */
  verify() {
    return this.#verify(null);
  }

  /** Gives up what is under way, as the visitor can. */
  close() {
    if (this.#dialog?.cancel() || this.#state !== 'opening') return;
    this.reset();
    this.#emit('Cancel');
  }

  /** Begins anew: without a receipt, and with no window. */
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
    // A click inside the dialog arrives with the element itself as its target.
    const passes = this.#replaying || this.disabled || this.#state === 'verified' || event.target === this;
    if (passes) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // A drawing inside a button has no click() of its own.
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

  /** Clicks what was clicked, or what the page has drawn in its place. @param {HTMLElement} target */
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

  /** A mistake in the page's own code is reported, and stops nothing here.
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
