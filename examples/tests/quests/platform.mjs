// Running example.
import { end, start } from './shell.mjs';

const PAUSE_MS = 100;

export class Platform {
  #running;

  /** Starts an example, and waits until it answers.
   * @param {string} script @param {string} folder @param {Record<string, string | undefined>} variables
   * @param {number} waitMs time limit, which includes installing and building */
  static async start(script, folder, variables, waitMs) {
    const platform = new Platform();
    platform.url = `http://localhost:${variables.PORT}`;
    platform.#running = start(script, folder, variables);
    await platform.#ready(waitMs).catch(async (cause) => {
      await platform.stop();
      throw cause;
    });
    return platform;
  }

  async #ready(waitMs) {
    let hasEnded = false;
    this.#running.ended.then(() => (hasEnded = true));
    for (const end = Date.now() + waitMs; Date.now() < end && !hasEnded; ) {
      const answer = await fetch(`${this.url}/badges`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Error(`the example ${hasEnded ? 'has ended' : 'does not answer'}; its output:\n${this.output}`);
  }

  /** Returns the output so far. */
  get output() {
    return this.#running.output;
  }

  /** Returns the wallets that have the badge. @returns {Promise<string[]>} */
  async holders() {
    return (await fetch(`${this.url}/badges`)).json();
  }

  /** Claims the badge as a program that never opened the window. @param {object} claim @returns {Promise<number>} the status */
  async claim(claim) {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${this.url}/badges`, { method: 'POST', headers, body: JSON.stringify(claim) })).status;
  }

  /** Sends a webhook. @param {Record<string, string>} headers @param {string} body @returns {Promise<number>} the status */
  async sendWebhook(headers, body) {
    const allHeaders = { 'content-type': 'application/json', ...headers };
    return (await fetch(`${this.url}/webhooks`, { method: 'POST', headers: allHeaders, body })).status;
  }

  /** Stops the example. */
  stop() {
    return end(this.#running);
  }
}
