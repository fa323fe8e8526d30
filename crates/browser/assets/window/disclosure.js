/**
 * Dialog about the purpose of the window and the evaluated data. It is part of the window, because a sandboxed frame cannot open
 * tabs, and above it, so that a check in progress continues.
 */

import { text } from './strings.js';

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Shows the button that opens the dialog. @param {string} context */
export function initDisclosure(context) {
  const button = part('about');
  const dialog = /** @type {HTMLDialogElement} */ (part('disclosure'));
  const frame = /** @type {HTMLIFrameElement} */ (part('disclosure-page'));
  const close = part('disclosure-close');
  button.textContent = frame.title = text('about');
  part('disclosure-title').textContent = text('disclosure_title');
  part('disclosure-text').textContent = text('disclosure_text');
  close.textContent = text('close');
  button.hidden = false;
  button.addEventListener('click', () => {
    const { lang: locale, dataset } = document.documentElement;
    const query = new URLSearchParams({ context, locale, theme: dataset.theme ?? 'auto' });
    const url = `/window/v1/what-is-checked?${query}`;
    if (frame.getAttribute('src') !== url) frame.src = url;
    dialog.showModal();
  });
  close.addEventListener('click', () => dialog.close());
  // Escape closes this dialog only, not the window.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
}
