/**
 * Dialog about the purpose of the window and the evaluated data. It is part of the window, because a sandboxed frame cannot open
 * tabs, and above it, so that a check in progress continues.
 */

import { text } from './strings.js';

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} context */
export function startAbout(context) {
  const button = part('about');
  const dialog = /** @type {HTMLDialogElement} */ (part('why'));
  const frame = /** @type {HTMLIFrameElement} */ (part('what'));
  const close = part('why-close');
  button.textContent = frame.title = text('about');
  part('why-title').textContent = text('why');
  part('why-text').textContent = text('why_text');
  close.textContent = text('close');
  button.hidden = false;
  button.addEventListener('click', () => {
    const { lang: locale, dataset } = document.documentElement;
    const asked = new URLSearchParams({ context, locale, theme: dataset.theme ?? 'auto' });
    const address = `/window/v1/what-is-checked?${asked}`;
    if (frame.getAttribute('src') !== address) frame.src = address;
    dialog.showModal();
  });
  close.addEventListener('click', () => dialog.close());
  // Escape closes this dialog only, not the window.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
}
