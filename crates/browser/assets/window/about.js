/**
 * Why the visitor sees this, and what is checked. It is shown in the window itself, because a sandboxed frame opens no tabs,
 * and on top of it, so that a check that has begun goes on where it was.
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
  // Escape closes this dialog, and not the window as well.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
}
