/** The native dialog in the element's shadow root. */

import { sheet } from './style.js';

/** What happens in the dialog is no event of the page around: another dialog must not close on our Escape. */
const KEPT = ['click', 'keydown', 'pointerdown', 'mousedown', 'touchstart'];

export class Modal {
  #root;
  node = document.createElement('dialog');

  /** @param {ShadowRoot} root @param {() => void} cancel the visitor pressed Escape, or the page closed it */
  constructor(root, cancel) {
    this.#root = root;
    for (const type of KEPT) this.node.addEventListener(type, (event) => event.stopPropagation());
    this.node.addEventListener('cancel', (event) => {
      event.preventDefault();
      cancel();
    });
    this.node.addEventListener('close', () => this.node.open || cancel());
  }

  /** Whether this browser has what the window needs. */
  get supported() {
    return 'showModal' in this.node && Boolean(this.#root.adoptedStyleSheets);
  }

  /** Puts the closed dialog into the page. */
  attach() {
    if (this.node.isConnected) return;
    const sheets = this.#root.adoptedStyleSheets;
    if (!sheets.includes(sheet())) this.#root.adoptedStyleSheets = [...sheets, sheet()];
    this.#root.append(this.node);
  }

  open() {
    this.attach();
    this.node.showModal();
  }

  /** Lets the page around be used, too: a wallet may show itself in it. */
  uncover() {
    this.node.close();
    this.node.show();
  }

  /** Makes everything else inert again.
   * @returns {boolean} whether it was not */
  cover() {
    if (!this.node.open || this.node.matches(':modal')) return false;
    this.node.close();
    this.node.showModal();
    return true;
  }

  /** @param {HTMLElement | null} target what gets the focus back */
  close(target) {
    if (!this.node.open) return;
    this.node.close();
    target?.focus();
  }
}
