/** One check as the page sees it, from its opening to its end. */

import { refusal } from './confirm.js';
import { Patience } from './patience.js';
import { wrong } from './properties.js';
import { Talk } from './talk.js';

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightState} VoightState */
/** @typedef {import('./dialog.js').Dialog} Dialog */

/**
 * What the element lets a check do.
 *
 * @typedef {object} Task
 * @property {HTMLElement | null} target what was clicked, null for `verify()`
 * @property {(name: VoightState) => void} state
 * @property {(name: string, detail?: unknown) => void} emit
 * @property {(error: VoightError) => void} fail
 * @property {(receipt: string | null) => void} receive
 * @property {() => void} replay
 */

/** User activation is gone after this time; a replayed click could no longer open a wallet. */
const ACTIVATION_MS = 5000;
/** A silent frame is loaded once more after the first of these times, and given up after the second. */
const RETRY_MS = 4000;
const WATCHDOG_MS = 8000;
/** How long a completed check is shown. */
const SHOWN_MS = 600;

export class Run {
  #dialog;
  #task;
  #talk;
  #clicked = performance.now();
  #patience = new Patience();
  /** @type {VoightError | null} */
  #failed = null;
  /** The receipt that came; a second one is ignored.
   * @type {string | null} */
  #receipt = null;
  /** What closing the dialog does once the check is verified or declined.
   * @type {(() => void) | null} */
  #close = null;
  #settle = { resolve: (/** @type {string} */ _) => {}, reject: (/** @type {VoightError} */ _) => {} };
  /** @type {Promise<string>} */
  result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  /** Whether the dialog was closed: whatever is still under way comes too late. */
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

  /** Shows the frame's progress from the beginning; also the way of a second try. */
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

  /** The window is there. */
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

  /** A failure that the frame can't show.
   * @param {string} code @param {boolean} [retryable]
   * @returns {boolean} whether the check could still fail */
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

  /** The frame shows its own failures; the page is told.
   * @param {string} code @param {boolean} retryable @param {string} reference */
  report(code, retryable, reference) {
    if (this.#receipt) return;
    this.#failed = { code, retryable, reference };
    this.#task.fail(this.#failed);
  }

  /** The check was completed. @param {string} receipt */
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

  /** The visitor, or the page, gives up; what has ended already is only put away. */
  cancel() {
    if (this.#close) return this.#close();
    this.#dialog.leave();
    if (this.#failed) return this.#settle.reject(this.#failed);
    this.#task.state('idle');
    this.#task.emit('Cancel');
    this.abandon();
  }

  /** The page takes the element away. */
  abandon() {
    this.#settle.reject({ code: 'cancel', retryable: false, reference: '' });
  }

  /** The dialog was closed. */
  end() {
    this.over = true;
    this.#patience.end();
  }

  /** One more try for a frame that is there and silent; one that is still on its way is left alone. */
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

  /** Closes the dialog and lets the click run; where that was too long ago, a click on `Continue` does. */
  #finish() {
    if (!this.#late()) return this.#proceed();
    this.#close = () => this.#dialog.leave();
    this.#dialog.panel.resume(() => this.#proceed());
  }

  /** @returns {boolean} whether the click that is to run is too long ago */
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
