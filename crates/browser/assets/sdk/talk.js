/** What page and window say to each other (`docs/reference/window-protocol.md`, section 1). */

import { counters } from './counters.js';
import { signer } from './wallet.js';

/** @typedef {import('./dialog.js').Dialog} Dialog */
/** @typedef {import('./run.js').Run} Run */

/** The states that the window tells. */
const TOLD = ['sign', 'checking', 'press', 'confirming'];

export class Talk {
  #dialog;
  #run;
  /** By the kind of message.
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

  /** Tells the window what the check is about. */
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

  /** Lets the wallet sign, however long that takes. The page can be used meanwhile: the wallet may show itself in it.
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
