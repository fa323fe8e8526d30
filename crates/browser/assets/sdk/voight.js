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
/** @typedef {import('./dialog.js').Dialog} Dialog */

const TEXTS = ['originSite', 'eoaAddress', 'contextId', 'baseUrl', 'theme', 'locale', 'collect', 'session'];
const OPEN = ['opening', 'sign', 'checking', 'press', 'confirming'];

/** @param {string} name */
const attribute = (name) => name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase());

/** @typedef {Record<'originSite' | 'eoaAddress' | 'contextId' | 'baseUrl' | 'theme' | 'locale' | 'collect' | 'session', string>} Texts */
const Base = /** @type {new () => HTMLElement & Texts} */ (/** @type {unknown} */ (globalThis.HTMLElement ?? class {}));

/** The element. Its public surface is described in `types/voight.d.ts`. */
export class VoightCheck extends Base {
  static observedAttributes = ['origin-site', 'eoa-address', 'context-id'];

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
  /** Set while the child's own click runs again. */
  #replaying = false;
  /** Reset and removal make what is still under way stale. */
  #turn = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.append(document.createElement('slot'));
    if (root.adoptedStyleSheets) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(':host{display:contents}');
      root.adoptedStyleSheets = [sheet];
    }
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

  disconnectedCallback() {
    this.reset();
  }

  /** A receipt is for one address and context; an open window is never rebuilt under its user.
   * @param {string} _ @param {string | null} before @param {string | null} after */
  attributeChangedCallback(_, before, after) {
    if (before !== after && !OPEN.includes(this.#state) && this.#state !== 'idle') this.reset();
  }

  get state() {
    return this.#state;
  }

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

  /** Runs a check without a click to run again. */
  verify() {
    return this.#verify(null);
  }

  close() {
    this.#dialog?.cancel();
  }

  reset() {
    this.#turn += 1;
    this.#dialog?.destroy();
    this.#dialog = this.#loading = this.#running = this.#receipt = null;
    this.#set('idle');
  }

  #load() {
    this.#loading ??= import('./dialog.js')
      .then(({ Dialog }) => (this.#dialog ??= new Dialog(this)))
      .catch((cause) => {
        this.#loading = null;
        throw cause;
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
    if (!this.eoaAddress) {
      this.#emit('WalletRequired');
      throw new Error('walletrequired');
    }
    this.#receipt = null;
    this.#set('opening');
    const stale = () => turn !== this.#turn;
    try {
      const dialog = await this.#load().catch(() => {
        throw this.#fail({ code: 'network', retryable: true, reference: '' });
      });
      if (stale()) throw new Error('cancel');
      return await dialog.open({
        target,
        state: (name) => stale() || this.#set(name),
        emit: (name, detail) => stale() || this.#emit(name, detail),
        fail: (error) => this.#fail(error),
        receive: (receipt) => stale() || (this.#receipt = receipt),
        replay: () => target && this.replay && !stale() && this.#again(target),
      });
    } catch (cause) {
      if (!stale() && OPEN.includes(this.#state)) this.#set('idle');
      throw cause;
    }
  }

  /** @param {HTMLElement} target */
  #again(target) {
    this.#replaying = true;
    target.click();
    this.#replaying = false;
  }

  /** @param {VoightError} error */
  #fail(error) {
    this.#set('failed');
    this.#emit('Error', error);
    return Object.assign(new Error(error.code), error);
  }

  /** @param {VoightState} name */
  #set(name) {
    if (this.#state === name) return;
    this.#state = name;
    this.setAttribute('state', name);
    this.#emit('StateChange', name);
  }

  /** @param {string} name @param {unknown} [detail] */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent('voight-' + name.toLowerCase(), { detail, bubbles: true, composed: true }));
    /** @type {any} */ (this)['on' + name]?.(detail);
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
