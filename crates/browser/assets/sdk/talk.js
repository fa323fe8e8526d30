/** Messages between page and window (`docs/reference/window-protocol.md`, section 1). */

import { counters } from './counters.js';
import { signer } from './wallet.js';

/** @typedef {import('./dialog.js').Dialog} Dialog */
/** @typedef {import('./run.js').Run} Run */

/** States that the window reports. */
const TOLD = ['sign', 'checking', 'press', 'confirming'];

export class Talk {
  #dialog;
  #run;
  /** Handlers by message type.
   * @type {Record<string, (message: any) => unknown>} */
  #answers = {
    ready: () => this.#run.ready(),
    state: ({ name }) => TOLD.includes(name) && this.#run.progress(name),
    resize: ({ height }) => this.#dialog.frame?.resize(height),
    counts: () => this.say({ t: 'counts', hostCounts: counters()() }),
    wallet: () => this.#offer(),
    sign: ({ message }) => this.#sign(String(message)),
    close: () => this.#run.cancel(),
    done: ({ receipt }) => typeof receipt === 'string' && this.#run.done(receipt),
    error: ({ code, retryable, reference }) => this.#run.report(String(code), retryable === true, String(reference ?? '')),
  };

  /** @param {Dialog} dialog @param {Run} run */
  constructor(dialog, run) {
    this.#dialog = dialog;
    this.#run = run;
  }

  /** Sends the properties of the check to the window. */
  begin() {
    const { originSite, eoaAddress, contextId, session } = this.#dialog.element;
    this.#dialog.frame?.init({
      originSite,
      eoaAddress,
      contextId,
      ...(session && { session }),
      ...this.#dialog.look(),
      hostCounts: counters()(),
    });
  }

  /** @param {Record<string, any>} message */
  hear(message) {
    if (Object.hasOwn(this.#answers, message.t)) this.#answers[message.t](message);
  }

  /** @param {Record<string, unknown>} message */
  say(message) {
    this.#dialog.frame?.send(message);
  }

  async #offer() {
    this.say({ t: 'wallet', ready: Boolean(await signer(this.#dialog.element)) });
  }

  /** Lets the wallet sign, without a timeout. The page is usable meanwhile: the wallet may show its interface there.
   * @param {string} message */
  async #sign(message) {
    this.#dialog.uncover();
    const signature = await signer(this.#dialog.element)
      .then((sign) => sign?.(message))
      .catch(() => null);
    if (this.#run.over) return;
    this.#dialog.cover();
    this.say({ t: 'sign', signature: typeof signature === 'string' ? signature : null });
  }
}
