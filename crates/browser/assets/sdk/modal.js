/** Native dialog in the element's shadow root. */

import { dialogStyleSheet } from './style.js';

/** Events that do not propagate from the dialog to the page: an outer dialog must not close on Escape in this one. */
const ISOLATED_EVENTS = ['click', 'keydown', 'pointerdown', 'mousedown', 'touchstart'];

export class Modal {
  #root;
  /** Stops Escape before an outer dialog handles it. The browser itself closes this dialog. */
  #stopEscape = (/** @type {KeyboardEvent} */ event) =>
    event.key === 'Escape' && this.node.matches(':modal') && event.stopImmediatePropagation();
  node = document.createElement('dialog');

  /** @param {ShadowRoot} root @param {() => void} cancel called when the visitor presses Escape, or the page closes the dialog */
  constructor(root, cancel) {
    this.#root = root;
    for (const type of ISOLATED_EVENTS) this.node.addEventListener(type, (event) => event.stopPropagation());
    this.node.addEventListener('cancel', (event) => {
      event.preventDefault();
      cancel();
    });
    this.node.addEventListener('close', () => this.node.open || cancel());
  }

  /** Returns `true` if this browser has the features that the window needs. */
  get isSupported() {
    return 'showModal' in this.node && Boolean(this.#root.adoptedStyleSheets);
  }

  /** Adds the closed dialog to the page. */
  attach() {
    if (this.node.isConnected) return;
    const sheets = this.#root.adoptedStyleSheets;
    if (!sheets.includes(dialogStyleSheet())) this.#root.adoptedStyleSheets = [...sheets, dialogStyleSheet()];
    this.#root.append(this.node);
  }

  open() {
    this.attach();
    addEventListener('keydown', this.#stopEscape, true);
    this.node.showModal();
  }

  /** Makes the dialog non-modal, so that a wallet can show its interface in the page. */
  makeNonModal() {
    this.node.close();
    this.node.show();
  }

  /** Makes the dialog modal again.
   * @returns {boolean} `true` if it was open and non-modal */
  makeModal() {
    if (!this.node.open || this.node.matches(':modal')) return false;
    this.node.close();
    this.node.showModal();
    return true;
  }

  /** @param {HTMLElement | null} target element that receives the focus */
  close(target) {
    removeEventListener('keydown', this.#stopEscape, true);
    if (!this.node.open) return;
    this.node.close();
    target?.focus();
  }
}
