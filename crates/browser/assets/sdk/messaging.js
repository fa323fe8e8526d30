/** Messages between page and window (`docs/reference/window-protocol.md`, section 1). */

import { hostCounts } from './voight.js';
import { findSigner } from './wallet.js';

/** @typedef {import('./dialog.js').Dialog} Dialog */
/** @typedef {import('./run.js').Run} Run */

/** States that the window reports. */
const WINDOW_STATES = ['sign', 'checking', 'press', 'confirming'];

/** Handles the messages of the window during one check. */
export class MessageChannelClient {
  #dialog;
  #run;
  /** Handlers by message type.
   * @type {Record<string, (message: any) => unknown>} */
  #handlers = {
    ready: () => this.#run.showWindow(),
    state: ({ name }) => WINDOW_STATES.includes(name) && this.#run.setState(name),
    resize: ({ height }) => this.#dialog.frame?.resize(height),
    counts: () => this.send({ t: 'counts', hostCounts: hostCounts() }),
    wallet: () => this.#sendWalletState(),
    sign: ({ message }) => this.#sign(String(message)),
    close: () => this.#run.cancel(),
    done: ({ receipt }) => typeof receipt === 'string' && this.#run.complete(receipt),
    error: ({ code, retryable, reference }) => this.#run.reportFailure(String(code), retryable === true, String(reference ?? '')),
  };

  /** @param {Dialog} dialog @param {Run} run */
  constructor(dialog, run) {
    this.#dialog = dialog;
    this.#run = run;
  }

  /** Sends the properties of the check to the window. */
  sendInit() {
    const { originSite, eoaAddress, contextId, session } = this.#dialog.element;
    this.#dialog.frame?.init({
      originSite: originSite || self.origin,
      eoaAddress,
      contextId,
      ...(session && { session }),
      ...this.#dialog.applyTheme(),
      hostCounts: hostCounts(),
    });
  }

  /** @param {Record<string, any>} message */
  receive(message) {
    if (Object.hasOwn(this.#handlers, message.t)) this.#handlers[message.t](message);
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    this.#dialog.frame?.send(message);
  }

  async #sendWalletState() {
    this.send({ t: 'wallet', ready: Boolean(await findSigner(this.#dialog.element)) });
  }

  /** Lets the wallet sign, without a timeout. The page is usable meanwhile: the wallet may show its interface there.
   * @param {string} message */
  async #sign(message) {
    this.#dialog.makeNonModal();
    const signature = await findSigner(this.#dialog.element)
      .then((sign) => sign?.(message))
      .catch(() => null);
    if (this.#run.isClosed) return;
    this.#dialog.makeModal();
    this.send({ t: 'sign', signature: typeof signature === 'string' ? signature : null });
  }
}
