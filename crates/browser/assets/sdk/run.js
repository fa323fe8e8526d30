/** One check from the page's point of view, from its opening to its end. */

import { rejectionMessage } from './confirm.js';
import { HELLO_TIMEOUT_MS } from './frame.js';
import { MessageChannelClient } from './messaging.js';
import { validate } from './properties.js';
import { clickTarget, replay } from './replay.js';
import { Timeouts } from './timeouts.js';

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightState} VoightState */
/** @typedef {import('./activation.js').HeldEvent} HeldEvent */
/** @typedef {import('./dialog.js').Dialog} Dialog */

/**
 * Callbacks of the element for a check.
 *
 * @typedef {object} Task
 * @property {HeldEvent[] | null} held activation to replay, null for `verify()`
 * @property {(name: VoightState) => void} setState
 * @property {(name: string, detail?: unknown) => void} emit
 * @property {(error: VoightError) => void} fail
 * @property {(receipt: string | null) => void} setReceipt
 * @property {(code: string) => void} report explains a mistake to the page's developer
 * @property {(dispatch: () => void) => void} pass runs a function while no event is held
 * @property {() => boolean} isStale returns `true` after the element was reset
 */

/** User activation expires after this time; a replayed click could then no longer open a wallet. */
const ACTIVATION_MS = 5000;
/** Time after which the page's developer is told that the service does not respond, and after which the check fails. */
const NOTICE_MS = 2500;
const WATCHDOG_MS = 8000;
/** Time for which a completed check is shown. */
const VERIFIED_MS = 600;

/** Check in progress. */
export class Run {
  #dialog;
  #task;
  #client;
  #clickedAt = performance.now();
  #timeouts = new Timeouts();
  /** `true` after a frame without a window was loaded again. */
  #isReloaded = false;
  /** Failure that is shown.
   * @type {VoightError | null} */
  #failure = null;
  /** Receipt of the check; a second one is ignored.
   * @type {string | null} */
  #receipt = null;
  /** Action on closing the dialog after the check was verified or declined.
   * @type {(() => void) | null} */
  #onClose = null;
  #settle = { resolve: (/** @type {string} */ _) => {}, reject: (/** @type {VoightError} */ _) => {} };
  /** @type {Promise<string>} */
  result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  /** `true` after the dialog was closed: later results are ignored. */
  isClosed = false;

  /** @param {Dialog} dialog @param {Task} task */
  constructor(dialog, task) {
    this.#dialog = dialog;
    this.#task = task;
    this.#client = new MessageChannelClient(dialog, this);
  }

  /** Element that receives the focus after the check. @returns {HTMLElement | null} */
  get target() {
    const last = this.#task.held?.at(-1);
    return last ? clickTarget(last.target, this.#dialog.element) : null;
  }

  /** Starts the check from the beginning; also used for a retry. */
  start() {
    this.#failure = null;
    this.#isReloaded = false;
    this.#task.setState('opening');
    const code = validate(this.#dialog.element);
    if (code) return this.fail(code);
    this.#dialog.ensureFrame();
    this.#dialog.panel.showProgress('opening', () => this.cancel());
    this.#client.sendInit();
    this.#timeouts.start(NOTICE_MS, () => this.#task.report('window_silent'));
    this.#timeouts.start(WATCHDOG_MS, () => this.fail('window_blocked', true));
    if (this.#dialog.frame?.isLoaded()) this.awaitHello();
  }

  /** Reloads a frame once if its document is not the window. */
  awaitHello() {
    if (this.#dialog.frame?.isForbidden()) return this.fail('frame_forbidden');
    this.#timeouts.start(HELLO_TIMEOUT_MS, () => {
      if (this.#failure || this.#dialog.frame?.isWindow()) return;
      if (this.#isReloaded) return this.fail('window_blocked', true);
      this.#isReloaded = true;
      this.#dialog.loadFrame();
      this.#client.sendInit();
    });
  }

  /** @param {Record<string, any>} message of the frame */
  receive(message) {
    this.#client.receive(message);
  }

  /** Shows the window, which is ready. */
  showWindow() {
    this.#timeouts.clear();
    this.#dialog.panel.hide();
    this.#dialog.frame?.node.focus();
  }

  /** @param {VoightState} name state that the window reports */
  setState(name) {
    this.#failure = null;
    this.#dialog.makeModal();
    this.#task.setState(name);
  }

  /** Shows and reports a failure that the window cannot show.
   * @param {string} code @param {boolean} [retryable]
   * @returns {boolean} `true` if the check could still fail */
  fail(code, retryable = false) {
    if (this.#onClose) return false;
    this.#timeouts.clear();
    this.#receipt = null;
    this.#dialog.removeFrame();
    this.#dialog.makeModal();
    this.#failure = { code, retryable, reference: '' };
    this.#dialog.panel.showFailure(this.#failure, () => this.start(), () => this.cancel());
    this.#task.fail(this.#failure);
    return true;
  }

  /** Reports a failure to the page that the window shows itself.
   * @param {string} code @param {boolean} retryable @param {string} reference */
  reportFailure(code, retryable, reference) {
    if (this.#receipt) return;
    this.#failure = { code, retryable, reference };
    this.#task.fail(this.#failure);
  }

  /** Handles the receipt of a completed check. @param {string} receipt */
  async complete(receipt) {
    if (this.#receipt) return;
    this.#receipt = receipt;
    this.#task.setState('confirming');
    const reason = await this.#confirm(receipt);
    if (this.isClosed || this.#receipt !== receipt) return;
    this.#onClose = () => this.#dialog.close();
    if (reason !== null) return this.#decline(reason);
    if (!this.#isActivationExpired()) this.#onClose = () => this.#closeAndReplay();
    this.#dialog.panel.hide();
    this.#dialog.onExpiry(receipt, () => this.#expire());
    const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#timeouts.start(isMotionReduced ? 0 : VERIFIED_MS, () => this.#finish());
    this.#settle.resolve(receipt);
    this.#task.setReceipt(receipt);
    this.#task.setState('verified');
    this.#task.emit('Verified', receipt);
  }

  /** Cancels the check; closes a check that has already ended. @param {string} reason `visitor` or `page` */
  cancel(reason = 'visitor') {
    if (this.#onClose) return this.#onClose();
    this.#dialog.close();
    if (this.#failure) return this.#settle.reject(this.#failure);
    this.#task.setState('idle');
    this.#task.emit('Cancel', { reason });
    this.rejectCancelled();
  }

  /** Rejects the check because the visitor cancelled it or the page removed the element. */
  rejectCancelled() {
    this.#settle.reject({ code: 'cancel', retryable: false, reference: '' });
  }

  /** Stops the timers after the dialog was closed. */
  dispose() {
    this.isClosed = true;
    this.#timeouts.dispose();
  }

  /** @param {string} receipt @returns {Promise<string | null>} the platform's reason to decline */
  async #confirm(receipt) {
    const { element, panel } = this.#dialog;
    if (!element.confirm) return null;
    panel.showProgress('confirming', () => this.cancel());
    const reason = await rejectionMessage(element.confirm, receipt, panel.text('declined'));
    this.#client.send(reason === null ? { t: 'confirmed', ok: true } : { t: 'confirmed', ok: false, message: reason });
    return reason;
  }

  /** @param {string} reason */
  #decline(reason) {
    this.#dialog.panel.showDeclined(reason, () => this.#dialog.close());
    this.#settle.reject({ code: 'declined', retryable: false, reference: '' });
    this.#task.setState('declined');
    this.#task.emit('Declined', reason);
  }

  /** Closes the dialog and replays the activation. After the user activation has expired, the visitor clicks `Continue` instead. */
  #finish() {
    if (!this.#isActivationExpired()) return this.#closeAndReplay();
    this.#onClose = () => this.#dialog.close();
    this.#dialog.panel.showContinue(() => this.#closeAndReplay());
  }

  /** @returns {boolean} `true` if there is an activation to replay, and the browser's user activation has expired */
  #isActivationExpired() {
    const isExpired = performance.now() - this.#clickedAt > ACTIVATION_MS;
    return isExpired && this.target !== null && this.#dialog.element.replayClick;
  }

  #closeAndReplay() {
    const { element } = this.#dialog;
    const { held, pass, isStale } = this.#task;
    this.#dialog.close();
    if (held && element.replayClick && !isStale()) replay(held, element, pass);
  }

  #expire() {
    this.#task.setReceipt(null);
    this.#task.setState('expired');
    this.#task.emit('Expired');
  }
}
