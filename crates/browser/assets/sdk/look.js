/** How the page wants the component to look: custom properties on its element. */

import { dress } from '../shared/palette.js';

/** Documented in `docs/guides/theming-and-localisation.md`. */
const COLOURS = ['accent', 'on-accent', 'surface', 'ink'];

/** Any way to write a colour becomes `#rrggbb`; what is no colour, or lets something through, becomes nothing.
 * @param {string} written @param {HTMLElement} probe an element whose own colour does not matter for a moment */
function resolve(written, probe) {
  probe.style.color = '';
  probe.style.color = `color-mix(in srgb, ${written}, ${written})`;
  const mixed = probe.style.color && getComputedStyle(probe).color;
  probe.style.color = '';
  const numbers = /^color\(srgb ([-.\de]+) ([-.\de]+) ([-.\de]+)\)$/.exec(mixed);
  return numbers && '#' + numbers.slice(1).map((part) => hex(Number(part))).join('');
}

/** @param {number} part 0 to 1, or beyond where the colour is */
const hex = (part) => Math.round(255 * Math.min(1, Math.max(0, part))).toString(16).padStart(2, '0');

/** @param {HTMLElement} element @param {HTMLElement} probe @returns {Record<string, string>} what the page chose */
function colours(element, probe) {
  const style = getComputedStyle(element);
  const written = COLOURS.map((name) => [name, style.getPropertyValue('--voight-' + name).trim()]);
  const resolved = written.map(([name, value]) => [name, value && resolve(value, probe)]);
  return Object.fromEntries(resolved.filter(([, value]) => value));
}

/** Makes the dialog look as the page wants it. @param {import('../../types/voight.js').VoightCheck} element @param {HTMLElement} dialog
 * @returns what the window is told, so that it looks the same */
export function look(element, dialog) {
  const chosen = { theme: element.theme || 'auto', colours: colours(element, dialog) };
  dialog.dataset.theme = chosen.theme;
  dress(dialog, chosen.colours);
  return chosen;
}
