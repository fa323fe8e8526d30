/**
 * The host page's side of the window: a dialog around a sandboxed frame of the service. Dialog and frame are loaded at the
 * first sign of intent; no data is sent to the frame before a click.
 */

import { connect } from './frame.js';
import { Modal } from './modal.js';
import { identity, windowUrl } from './properties.js';
import { onExpiry } from './receipt.js';
import { Run } from './run.js';
import { createStatusPanel } from './status-panel.js';
import { applyTheme } from './theme.js';

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */
/** @typedef {import('./run.js').Task} Task */

/** Dialog of one element. */
export class Dialog {
  #modal;
  /** Check in progress.
   * @type {Run | null} */
  #run = null;
  /** URL of the frame's document.
   * @type {string | null} */
  #url = null;
  /** Address, context and service of the last check. */
  #identity = '';
  /** Cancels the expiry timer of the last receipt. */
  #cancelExpiry = () => {};
  /** @type {ReturnType<typeof connect> | null} */
  frame = null;

  /** @param {VoightCheck} element */
  constructor(element) {
    this.element = element;
    this.panel = createStatusPanel(() => element.labels ?? {});
    this.#modal = new Modal(/** @type {ShadowRoot} */ (element.shadowRoot), () => this.cancel());
    this.#modal.node.append(this.panel.node);
    const sendTheme = () => this.frame?.send({ t: 'theme', ...this.applyTheme() });
    new MutationObserver(sendTheme).observe(element, { attributeFilter: ['theme'] });
  }

  /** Returns `true` until the dialog of a check is closed. */
  get isOpen() {
    return this.#run !== null;
  }

  /** Returns `true` if address, context or service of the element are not those of the last check. */
  isChanged() {
    return identity(this.element) !== this.#identity;
  }

  /** Loads the frame into the closed dialog. */
  prepare() {
    if (!this.#run && this.#modal.isSupported && this.element.isConnected) this.ensureFrame();
  }

  /** Loads a frame unless the current one is usable. */
  ensureFrame() {
    if (this.#url !== windowUrl(this.element) || !this.frame || this.frame.isUnresponsive()) this.loadFrame();
  }

  /** Loads a new frame. */
  loadFrame() {
    this.removeFrame();
    this.#url = windowUrl(this.element);
    if (!this.#url) return;
    this.#modal.attach();
    const onReplaced = () => this.#run?.fail('window_blocked', true);
    this.frame = connect(this.#url, (message) => this.#run?.receive(message), () => this.#run?.awaitHello(), onReplaced);
    this.#setAccessibleNames();
    this.#modal.node.append(this.frame.node);
  }

  /** Removes the frame: a check is never continued in an old frame. */
  removeFrame() {
    this.frame?.close();
    this.frame = null;
  }

  /** Opens the dialog and starts a check. @param {Task} task @returns {Promise<string>} the receipt; rejects with a `VoightError` */
  open(task) {
    this.close();
    this.#cancelExpiry();
    const code = this.#modal.isSupported ? 'not_connected' : 'unsupported_browser';
    if (!this.#modal.isSupported || !this.element.isConnected) {
      const error = { code, retryable: false, reference: '' };
      task.fail(error);
      return Promise.reject(error);
    }
    const run = new Run(this, task);
    this.#run = run;
    this.#identity = identity(this.element);
    this.panel.setLanguage(this.element.locale).then(() => this.#setAccessibleNames());
    this.applyTheme();
    this.#modal.open();
    run.start();
    return run.result;
  }

  /** Handles a change of wallet or context. An open window is never rebuilt: it fails, and the visitor may start again.
   * @returns {boolean} `true` if a check was in progress */
  failChanged() {
    return this.#run?.fail('properties_changed', true) ?? false;
  }

  /** @param {string} [reason] @returns {boolean} `true` if a check was cancelled */
  cancel(reason) {
    const run = this.#run;
    run?.cancel(reason);
    return Boolean(run);
  }

  /** Cleans up after the element was removed or reset. */
  destroy() {
    this.#cancelExpiry();
    this.#run?.rejectCancelled();
    this.close();
    this.#modal.node.remove();
  }

  /** Calls `callback` when a receipt expires, unless a new check starts before. @param {string} receipt @param {() => void} callback */
  onExpiry(receipt, callback) {
    this.#cancelExpiry = onExpiry(receipt, callback);
  }

  /** Closes the dialog and ends the check in progress. */
  close() {
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    run.dispose();
    this.frame?.send({ t: 'cancel' });
    this.removeFrame();
    this.#modal.close(run.target);
  }

  /** Makes the page usable while the wallet signs. */
  makeNonModal() {
    this.#modal.makeNonModal();
  }

  /** Makes everything except the window inert. */
  makeModal() {
    if (this.#modal.makeModal()) this.frame?.node.focus();
  }

  /** Sets the accessible names of dialog and frame. */
  #setAccessibleNames() {
    const title = this.panel.text('title');
    this.#modal.node.setAttribute('aria-label', title);
    if (this.frame) this.frame.node.title = title;
  }

  /** Applies theme and colours. @returns the settings that are sent to the window */
  applyTheme() {
    return applyTheme(this.element, this.#modal.node);
  }
}
