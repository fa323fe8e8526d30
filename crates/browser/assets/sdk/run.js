/** One check from the page's point of view, from its opening to its end. */

import { refusal } from './confirm.js';
import { Patience } from './patience.js';
import { wrong } from './properties.js';
import { Talk } from './talk.js';

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightState} VoightState */
/** @typedef {import('./dialog.js').Dialog} Dialog */

/**
 * Callbacks of the element for a check.
 *
 * @typedef {object} Task
 * @property {HTMLElement | null} target clicked element, null for `verify()`
 * @property {(name: VoightState) => void} state
 * @property {(name: string, detail?: unknown) => void} emit
 * @property {(error: VoightError) => void} fail
 * @property {(receipt: string | null) => void} receive
 * @property {() => void} replay
 */

/** User activation expires after this time; a replayed click could then no longer open a wallet. */
const ACTIVATION_MS = 5000;
/** A silent frame is reloaded after the first of these times, and the check fails after the second. */
const RETRY_MS = 4000;
const WATCHDOG_MS = 8000;
/** Time for which a completed check is shown. */
const SHOWN_MS = 600;

export class Run {
  #dialog;
  #task;
  #talk;
  #clicked = performance.now();
  #patience = new Patience();
  /** @type {VoightError | null} */
  #failed = null;
  /** Receipt of the check; a second one is ignored.
   * @type {string | null} */
  #receipt = null;
  /** Action on closing the dialog after the check was verified or declined.
   * @type {(() => void) | null} */
  #close = null;
  #settle = { resolve: (/** @type {string} */ _) => {}, reject: (/** @type {VoightError} */ _) => {} };
  /** @type {Promise<string>} */
  result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  /** `true` after the dialog was closed: later results are ignored. */
  over = false;

  /** @param {Dialog} dialog @param {Task} task */
  constructor(dialog, task) {
    this.#dialog = dialog;
    this.#task = task;
    this.#talk = new Talk(dialog, this);
  }

  get target() {
    return this.#task.target;
  }

  /** Starts the check from the beginning; also used for a retry. */
  start() {
    this.#failed = null;
    this.#task.state('opening');
    const code = wrong(this.#dialog.element);
    if (code) return this.fail(code);
    this.#dialog.renew();
    this.#dialog.panel.wait('opening', () => this.cancel());
    this.#talk.begin();
    this.#patience.after(RETRY_MS, () => this.#again());
    this.#patience.after(WATCHDOG_MS, () => this.fail('window_blocked', true));
  }

  /** @param {Record<string, any>} message of the frame */
  hear(message) {
    this.#talk.hear(message);
  }

  /** Shows the window, which is ready. */
  ready() {
    this.#patience.clear();
    this.#dialog.panel.hide();
    this.#dialog.frame?.node.focus();
  }

  /** @param {VoightState} name */
  progress(name) {
    this.#failed = null;
    this.#dialog.cover();
    this.#task.state(name);
  }

  /** Reports a failure that the window cannot show.
   * @param {string} code @param {boolean} [retryable]
   * @returns {boolean} `true` if the check could still fail */
  fail(code, retryable = false) {
    if (this.#close) return false;
    this.#patience.clear();
    this.#receipt = null;
    this.#dialog.discard();
    this.#dialog.cover();
    this.#failed = { code, retryable, reference: '' };
    this.#dialog.panel.fail(this.#failed, () => this.start(), () => this.cancel());
    this.#task.fail(this.#failed);
    return true;
  }

  /** Reports a failure to the page that the window shows itself.
   * @param {string} code @param {boolean} retryable @param {string} reference */
  report(code, retryable, reference) {
    if (this.#receipt) return;
    this.#failed = { code, retryable, reference };
    this.#task.fail(this.#failed);
  }

  /** Handles the receipt of a completed check. @param {string} receipt */
  async done(receipt) {
    if (this.#receipt) return;
    this.#receipt = receipt;
    this.#task.state('confirming');
    const refused = await this.#confirm(receipt);
    if (this.over || this.#receipt !== receipt) return;
    this.#close = () => this.#dialog.leave();
    if (refused !== null) return this.#decline(refused);
    if (!this.#late()) this.#close = () => this.#proceed();
    this.#dialog.panel.hide();
    this.#dialog.expire(receipt, () => this.#expire());
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#patience.after(calm ? 0 : SHOWN_MS, () => this.#finish());
    this.#settle.resolve(receipt);
    this.#task.receive(receipt);
    this.#task.state('verified');
    this.#task.emit('Verified', receipt);
  }

  /** Cancels the check for the visitor or the page; closes a check that has already ended. */
  cancel() {
    if (this.#close) return this.#close();
    this.#dialog.leave();
    if (this.#failed) return this.#settle.reject(this.#failed);
    this.#task.state('idle');
    this.#task.emit('Cancel');
    this.abandon();
  }

  /** Rejects the check because the page removed the element. */
  abandon() {
    this.#settle.reject({ code: 'cancel', retryable: false, reference: '' });
  }

  /** Stops the timers after the dialog was closed. */
  end() {
    this.over = true;
    this.#patience.end();
  }

  /** Reloads a frame that was loaded but is silent. A frame that is still loading is left alone. */
  #again() {
    if (!this.#dialog.frame?.loaded()) return;
    this.#dialog.mount();
    this.#talk.begin();
  }

  /** @param {string} receipt @returns {Promise<string | null>} the platform's reason to decline */
  async #confirm(receipt) {
    const { element, panel } = this.#dialog;
    if (!element.confirm) return null;
    panel.wait('confirming', () => this.cancel());
    const refused = await refusal(element.confirm, receipt, panel.text('declined'));
    this.#talk.say(refused === null ? { t: 'confirmed', ok: true } : { t: 'confirmed', ok: false, message: refused });
    return refused;
  }

  /** @param {string} reason */
  #decline(reason) {
    this.#dialog.panel.decline(reason, () => this.#dialog.leave());
    this.#settle.reject({ code: 'declined', retryable: false, reference: '' });
    this.#task.state('declined');
    this.#task.emit('Declined', reason);
  }

  /** Closes the dialog and replays the click. If the click is too long ago, the visitor clicks `Continue` instead. */
  #finish() {
    if (!this.#late()) return this.#proceed();
    this.#close = () => this.#dialog.leave();
    this.#dialog.panel.resume(() => this.#proceed());
  }

  /** @returns {boolean} `true` if the click to replay is too long ago */
  #late() {
    const waited = performance.now() - this.#clicked > ACTIVATION_MS;
    return waited && this.target !== null && this.#dialog.element.replay;
  }

  #proceed() {
    this.#dialog.leave();
    this.#task.replay();
  }

  #expire() {
    this.#task.receive(null);
    this.#task.state('expired');
    this.#task.emit('Expired');
  }
}
