/**
 * The host page's half of the window: a dialog around a sandboxed frame of the service. It is loaded at the first sign of
 * intent, and the frame with it; nothing is told to the frame before a click.
 */

import { connect } from './frame.js';
import { look } from './look.js';
import { Modal } from './modal.js';
import { panel } from './panel.js';
import { documentOf } from './properties.js';
import { whenOver } from './receipt.js';
import { Run } from './run.js';

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */
/** @typedef {import('./run.js').Task} Task */

export class Dialog {
  #modal;
  /** @type {Run | null} */
  #run = null;
  /** @type {string | null} */
  #address = null;
  /** Ends the waiting for the end of the last receipt. */
  #stop = () => {};
  /** @type {ReturnType<typeof connect> | null} */
  frame = null;

  /** @param {VoightCheck} element */
  constructor(element) {
    this.element = element;
    this.panel = panel(() => element.labels ?? {});
    this.#modal = new Modal(/** @type {ShadowRoot} */ (element.shadowRoot), () => this.cancel());
    this.#modal.node.append(this.panel.node);
    const change = () => this.frame?.send({ t: 'theme', ...this.look() });
    new MutationObserver(change).observe(element, { attributeFilter: ['theme'] });
  }

  /** Puts the frame into the closed dialog, where it loads and waits. */
  prepare() {
    if (!this.#run && this.#modal.supported && this.element.isConnected) this.renew();
  }

  /** Loads a frame, unless the one that is there will do. */
  renew() {
    if (this.#address !== documentOf(this.element) || !this.frame || this.frame.silent()) this.mount();
  }

  /** Loads the frame anew. */
  mount() {
    this.discard();
    this.#address = documentOf(this.element);
    if (!this.#address) return;
    this.#modal.attach();
    const lost = () => this.#run?.fail('window_blocked', true);
    this.frame = connect(this.#address, (message) => this.#run?.hear(message), lost);
    this.#name();
    this.#modal.node.append(this.frame.node);
  }

  /** Throws the frame away: a check is never continued in an old one. */
  discard() {
    this.frame?.close();
    this.frame = null;
  }

  /** @param {Task} task @returns {Promise<string>} the receipt; rejects with a `VoightError` */
  open(task) {
    this.leave();
    this.#stop();
    const code = this.#modal.supported ? 'not_connected' : 'unsupported_browser';
    if (!this.#modal.supported || !this.element.isConnected) {
      const error = { code, retryable: false, reference: '' };
      task.fail(error);
      return Promise.reject(error);
    }
    const run = new Run(this, task);
    this.#run = run;
    this.panel.speak(this.element.locale).then(() => this.#name());
    this.look();
    this.#modal.open();
    run.start();
    return run.result;
  }

  /** Another wallet or context was set. A window is never rebuilt under its visitor: it ends, and they may begin again.
   * @returns {boolean} whether there was one */
  changed() {
    return this.#run?.fail('properties_changed', true) ?? false;
  }

  /** @returns {boolean} whether there was anything to give up */
  cancel() {
    const run = this.#run;
    run?.cancel();
    return Boolean(run);
  }

  /** The element was removed or reset. */
  destroy() {
    this.#stop();
    this.#run?.abandon();
    this.leave();
    this.#modal.node.remove();
  }

  /** Tells when a receipt is over, unless a new check began before. @param {string} receipt @param {() => void} act */
  expire(receipt, act) {
    this.#stop = whenOver(receipt, act);
  }

  /** Closes the dialog. */
  leave() {
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    run.end();
    this.frame?.send({ t: 'cancel' });
    this.discard();
    this.#modal.close(run.target);
  }

  /** Lets the page be used while a wallet is asked. */
  uncover() {
    this.#modal.uncover();
  }

  /** Lets nothing but the window be used. */
  cover() {
    if (this.#modal.cover()) this.frame?.node.focus();
  }

  /** Says what dialog and frame are to whoever can't see them. */
  #name() {
    const title = this.panel.text('title');
    this.#modal.node.setAttribute('aria-label', title);
    if (this.frame) this.frame.node.title = title;
  }

  /** Takes up theme and colours. @returns what the window is told of them */
  look() {
    return look(this.element, this.#modal.node);
  }
}
