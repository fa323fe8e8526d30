/** @typedef {{remaining: number, startedAt: number, timer: number, callback: () => void}} Timeout times in milliseconds */

/** Timeouts that elapse only while the page is visible: a wallet on a phone covers the page. */
export class Timeouts {
  /** @type {Set<Timeout>} */
  #pending = new Set();
  #onVisibilityChange = () =>
    this.#pending.forEach((timeout) => (document.hidden ? this.#pause(timeout) : this.#resume(timeout)));

  constructor() {
    document.addEventListener('visibilitychange', this.#onVisibilityChange);
  }

  /** Starts a timeout. @param {number} remaining milliseconds during which the page is visible @param {() => void} callback */
  start(remaining, callback) {
    const timeout = { remaining, startedAt: 0, timer: 0, callback };
    this.#pending.add(timeout);
    if (!document.hidden) this.#resume(timeout);
  }

  /** Cancels all timeouts. */
  clear() {
    for (const { timer } of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }

  /** Cancels all timeouts and removes the listener. */
  dispose() {
    this.clear();
    document.removeEventListener('visibilitychange', this.#onVisibilityChange);
  }

  /** @param {Timeout} timeout */
  #resume(timeout) {
    timeout.startedAt = performance.now();
    timeout.timer = window.setTimeout(() => {
      this.#pending.delete(timeout);
      timeout.callback();
    }, timeout.remaining);
  }

  /** @param {Timeout} timeout */
  #pause(timeout) {
    clearTimeout(timeout.timer);
    timeout.remaining -= performance.now() - timeout.startedAt;
  }
}
