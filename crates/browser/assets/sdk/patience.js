/** Timers that run only while the page is visible: a wallet on a phone covers the page. */
export class Patience {
  /** @type {Set<{left: number, since: number, timer: number, act: () => void}>} */
  #waits = new Set();
  #turned = () => this.#waits.forEach((wait) => (document.hidden ? this.#pause(wait) : this.#resume(wait)));

  constructor() {
    document.addEventListener('visibilitychange', this.#turned);
  }

  /** @param {number} left milliseconds during which the page is visible @param {() => void} act */
  after(left, act) {
    const wait = { left, since: 0, timer: 0, act };
    this.#waits.add(wait);
    if (!document.hidden) this.#resume(wait);
  }

  /** Cancels all timers. */
  clear() {
    for (const { timer } of this.#waits) clearTimeout(timer);
    this.#waits.clear();
  }

  /** Cancels all timers and removes the listener. */
  end() {
    this.clear();
    document.removeEventListener('visibilitychange', this.#turned);
  }

  /** @param {{left: number, since: number, timer: number, act: () => void}} wait */
  #resume(wait) {
    wait.since = performance.now();
    wait.timer = window.setTimeout(() => {
      this.#waits.delete(wait);
      wait.act();
    }, wait.left);
  }

  /** @param {{left: number, since: number, timer: number}} wait */
  #pause(wait) {
    clearTimeout(wait.timer);
    wait.left -= performance.now() - wait.since;
  }
}
