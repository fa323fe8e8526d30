/**
 * The host page's half of the window: a native dialog in the element's shadow root around a sandboxed frame of the
 * service. It is loaded at the first sign of intent, and the frame with it; nothing is told to the frame before a click.
 */

import { counters } from './counters.js';
import { connect } from './frame.js';
import { panel } from './panel.js';
import { sheet } from './style.js';
import { signer } from './wallet.js';

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */
/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightState} VoightState */

/**
 * @typedef {object} Run
 * @property {HTMLElement | null} target what was clicked, null for `verify()`
 * @property {(name: VoightState) => void} state
 * @property {(name: string, detail?: unknown) => void} emit
 * @property {(error: VoightError) => Error} fail
 * @property {(receipt: string | null) => void} receive
 * @property {() => void} replay
 */

/** User activation is gone after this time; a replayed click could no longer open a wallet. */
const ACTIVATION_MS = 5000;
/** A silent frame is loaded once more after the first of these times, and given up after the second. */
const RETRY_MS = 4000;
const WATCHDOG_MS = 8000;
/** The service's receipts live this long. */
const RECEIPT_MS = 600000;

export class Dialog {
  #element;
  #root;
  #count = counters();
  #dialog = document.createElement('dialog');
  #panel;
  /** @type {ReturnType<typeof connect> | null} */
  #frame = null;
  #address = '';
  /** @type {Run | null} */
  #run = null;
  /** The run whose receipt has come; a second receipt is ignored.
   * @type {Run | null} */
  #finished = null;
  /** @type {VoightError | null} */
  #failed = null;
  /** @type {number[]} */
  #timers = [];
  #expiry = 0;
  #clicked = 0;
  #settle = { resolve: (/** @type {string} */ _) => {}, reject: (/** @type {Error} */ _) => {} };

  /** @param {VoightCheck} element */
  constructor(element) {
    this.#element = element;
    this.#root = /** @type {ShadowRoot} */ (element.shadowRoot);
    this.#panel = panel(() => element.labels ?? {});
    this.#dialog.append(this.#panel.node);
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.cancel();
    });
    // What happens in here is no event of the page around: another dialog must not close on our Escape.
    for (const type of ['click', 'keydown', 'pointerdown', 'mousedown', 'touchstart']) {
      this.#dialog.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** Puts the frame into the closed dialog, where it loads and waits. */
  prepare() {
    if (!this.#supported() || this.#run) return;
    const base = this.#element.baseUrl || new URL(import.meta.url).origin;
    const address = new URL('/window/v1', base);
    address.searchParams.set('context', this.#element.contextId);
    address.searchParams.set('origin', location.origin);
    if (this.#address === address.href && this.#frame && this.#dialog.isConnected) return;
    this.#address = address.href;
    this.#mount();
  }

  /** @param {Run} run @returns {Promise<string>} */
  open(run) {
    if (!this.#supported()) {
      return Promise.reject(run.fail({ code: 'unsupported_browser', retryable: false, reference: '' }));
    }
    if (this.#run) this.#leave();
    this.prepare();
    clearTimeout(this.#expiry);
    this.#run = run;
    this.#failed = null;
    this.#clicked = performance.now();
    this.#dialog.setAttribute('aria-label', this.#panel.text('title'));
    this.#dialog.dataset.theme = this.#element.theme || 'auto';
    const result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#dialog.showModal();
    this.#start();
    return result;
  }

  /** The user, or the page, gives up; what has already ended is only put away. */
  cancel() {
    const failed = this.#failed;
    const run = this.#run;
    if (!run) return;
    this.#leave();
    if (this.#element.state === 'verified' || this.#element.state === 'declined') return;
    if (failed) return this.#settle.reject(Object.assign(new Error(failed.code), failed));
    run.state('idle');
    run.emit('Cancel');
    this.#settle.reject(new Error('cancel'));
  }

  /** The element was removed or reset. */
  destroy() {
    clearTimeout(this.#expiry);
    this.#leave();
    this.#dialog.remove();
    this.#settle.reject(new Error('cancel'));
  }

  #supported() {
    return 'showModal' in this.#dialog && Boolean(this.#root.adoptedStyleSheets);
  }

  #mount() {
    this.#frame?.close();
    if (!this.#dialog.isConnected) {
      const sheets = this.#root.adoptedStyleSheets;
      if (!sheets.includes(sheet())) this.#root.adoptedStyleSheets = [...sheets, sheet()];
      this.#root.append(this.#dialog);
    }
    const frame = connect(this.#address, this.#panel.text('title'), (message) => this.#receive(message));
    this.#frame = frame;
    this.#dialog.append(frame.node);
  }

  /** Shows the frame's progress from the beginning; also the way of a second try. */
  #start() {
    this.#run?.state('opening');
    this.#panel.wait('opening', () => this.cancel());
    this.#tell();
    this.#after(RETRY_MS, () => this.#again());
    this.#after(WATCHDOG_MS, () => this.#fail({ code: 'window_blocked', retryable: true, reference: '' }));
  }

  #tell() {
    const { originSite, eoaAddress, contextId, session, locale, theme } = this.#element;
    this.#frame?.init({
      originSite,
      eoaAddress,
      contextId,
      ...(session && { session }),
      ...(locale && { locale }),
      ...(theme && { theme }),
      hostCounts: this.#count(),
    });
  }

  /** One more try for a frame that is there and silent; one that is still on its way is left alone. */
  #again() {
    if (!this.#frame?.loaded()) return;
    this.#mount();
    this.#tell();
  }

  /** @param {Record<string, any>} message */
  #receive(message) {
    const run = this.#run;
    if (!run) return;
    if (message.t === 'ready') this.#ready();
    if (message.t === 'state') this.#progress(message.name);
    if (message.t === 'resize') this.#frame?.resize(message.height);
    if (message.t === 'counts') this.#frame?.send({ t: 'counts', hostCounts: this.#count() });
    if (message.t === 'wallet') this.#offer();
    if (message.t === 'sign') this.#sign(run, message.message);
    if (message.t === 'close') this.cancel();
    if (message.t === 'done' && typeof message.receipt === 'string') this.#done(message.receipt);
    if (message.t === 'error') this.#report(message);
  }

  #ready() {
    this.#stopTimers();
    this.#panel.hide();
    this.#frame?.node.focus();
  }

  async #offer() {
    this.#frame?.send({ t: 'wallet', ready: Boolean(await signer(this.#element)) });
  }

  /** Lets the wallet sign. Wallets that show themselves in the page could not be used while everything else is inert.
   * @param {Run} run @param {unknown} message */
  async #sign(run, message) {
    this.#dialog.close();
    this.#dialog.show();
    const signature = await signer(this.#element)
      .then((sign) => sign?.(String(message)))
      .catch(() => null);
    if (run !== this.#run) return;
    this.#cover();
    this.#frame?.send({ t: 'sign', signature: typeof signature === 'string' ? signature : null });
  }

  /** Makes everything else inert again. */
  #cover() {
    if (!this.#dialog.open || this.#dialog.matches(':modal')) return;
    this.#dialog.close();
    this.#dialog.showModal();
    this.#frame?.node.focus();
  }

  /** @param {unknown} name */
  #progress(name) {
    if (name !== 'sign' && name !== 'checking' && name !== 'press' && name !== 'confirming') return;
    this.#failed = null;
    this.#cover();
    this.#run?.state(name);
  }

  /** The frame shows its own failures; the page is told.
   * @param {Record<string, any>} message */
  #report({ code, retryable, reference }) {
    this.#failed = { code: String(code), retryable: retryable === true, reference: String(reference ?? '') };
    this.#run?.fail(this.#failed);
  }

  /** A failure that the frame can't show.
   * @param {VoightError} error */
  #fail(error) {
    this.#stopTimers();
    this.#failed = error;
    this.#run?.fail(error);
    const retry = () => {
      this.#failed = null;
      this.#mount();
      this.#start();
    };
    this.#panel.fail(error, retry, () => this.cancel());
  }

  /** @param {string} receipt */
  async #done(receipt) {
    const run = this.#run;
    if (!run || this.#finished === run) return;
    this.#finished = run;
    run.state('confirming');
    const refusal = await this.#confirm(receipt);
    if (run !== this.#run) return;
    if (refusal !== null) return this.#decline(run, refusal);
    run.receive(receipt);
    run.state('verified');
    run.emit('Verified', receipt);
    this.#settle.resolve(receipt);
    this.#expiry = window.setTimeout(() => this.#expire(run), RECEIPT_MS);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#after(calm ? 0 : 600, () => this.#finish(run));
  }

  /** @param {string} receipt @returns {Promise<string | null>} the platform's reason to decline, null if it agrees */
  async #confirm(receipt) {
    const { confirm } = this.#element;
    if (!confirm) return null;
    this.#panel.wait('confirming', () => this.cancel());
    try {
      await confirm(receipt);
    } catch (cause) {
      const message = String((cause instanceof Error && cause.message) || this.#panel.text('declined'));
      this.#frame?.send({ t: 'confirmed', ok: false, message });
      return message;
    }
    this.#frame?.send({ t: 'confirmed', ok: true });
    this.#panel.hide();
    return null;
  }

  /** @param {Run} run @param {string} reason */
  #decline(run, reason) {
    run.state('declined');
    run.emit('Declined', reason);
    this.#settle.reject(Object.assign(new Error('declined'), { code: 'declined', retryable: false, reference: '' }));
    this.#panel.decline(reason, () => this.#leave());
  }

  /** @param {Run} run */
  #finish(run) {
    const late = performance.now() - this.#clicked > ACTIVATION_MS;
    if (!run.target || !this.#element.replay || !late) {
      this.#leave();
      return run.replay();
    }
    this.#panel.resume(() => {
      this.#leave();
      run.replay();
    });
  }

  /** @param {Run} run */
  #expire(run) {
    run.receive(null);
    run.state('expired');
    run.emit('Expired');
  }

  /** Closes the dialog and throws the frame away: a check is never continued in an old one. */
  #leave() {
    const target = this.#run?.target;
    this.#stopTimers();
    this.#run = null;
    this.#frame?.send({ t: 'cancel' });
    this.#frame?.close();
    this.#frame = null;
    if (!this.#dialog.open) return;
    this.#dialog.close();
    target?.focus();
  }

  /** @param {number} delay @param {() => void} action */
  #after(delay, action) {
    this.#timers.push(window.setTimeout(action, delay));
  }

  #stopTimers() {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}
