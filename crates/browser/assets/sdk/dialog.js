/**
 * The host page's side of the window: a dialog around a sandboxed frame of the service. Dialog and frame are loaded at the
 * first sign of intent; no data is sent to the frame before a click.
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
  /** Cancels the expiry timer of the last receipt. */
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

  /** Loads the frame into the closed dialog. */
  prepare() {
    if (!this.#run && this.#modal.supported && this.element.isConnected) this.renew();
  }

  /** Loads a frame unless the current one is usable. */
  renew() {
    if (this.#address !== documentOf(this.element) || !this.frame || this.frame.silent()) this.mount();
  }

  /** Loads a new frame. */
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

  /** Removes the frame: a check is never continued in an old frame. */
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

  /** Handles a change of wallet or context. An open window is never rebuilt: it fails, and the visitor may start again.
   * @returns {boolean} `true` if a check was in progress */
  changed() {
    return this.#run?.fail('properties_changed', true) ?? false;
  }

  /** @returns {boolean} `true` if a check was cancelled */
  cancel() {
    const run = this.#run;
    run?.cancel();
    return Boolean(run);
  }

  /** Cleans up after the element was removed or reset. */
  destroy() {
    this.#stop();
    this.#run?.abandon();
    this.leave();
    this.#modal.node.remove();
  }

  /** Calls `act` when a receipt expires, unless a new check starts before. @param {string} receipt @param {() => void} act */
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

  /** Makes the page usable while the wallet signs. */
  uncover() {
    this.#modal.uncover();
  }

  /** Makes everything except the window inert. */
  cover() {
    if (this.#modal.cover()) this.frame?.node.focus();
  }

  /** Sets the accessible names of dialog and frame. */
  #name() {
    const title = this.panel.text('title');
    this.#modal.node.setAttribute('aria-label', title);
    if (this.frame) this.frame.node.title = title;
  }

  /** Applies theme and colours. @returns the settings that are sent to the window */
  look() {
    return look(this.element, this.#modal.node);
  }
}
