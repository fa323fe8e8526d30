/** Appearance that the page chooses: custom properties of the element. */

import { dress } from '../shared/palette.js';

/** Names of the colours, documented in `docs/guides/theming-and-localisation.md`. */
const COLOURS = ['accent', 'on-accent', 'surface', 'ink'];

/** Converts a CSS colour to `#rrggbb`. A value that is not a colour, or not opaque, is dropped.
 * @param {string} written @param {HTMLElement} probe an element whose own colour may be changed temporarily */
function resolve(written, probe) {
  probe.style.color = '';
  probe.style.color = `color-mix(in srgb, ${written}, ${written})`;
  const mixed = probe.style.color && getComputedStyle(probe).color;
  probe.style.color = '';
  const numbers = /^color\(srgb ([-.\de]+) ([-.\de]+) ([-.\de]+)\)$/.exec(mixed);
  return numbers && '#' + numbers.slice(1).map((part) => hex(Number(part))).join('');
}

/** @param {number} part 0 to 1, or outside of that range for colours outside of sRGB */
const hex = (part) => Math.round(255 * Math.min(1, Math.max(0, part))).toString(16).padStart(2, '0');

/** @param {HTMLElement} element @param {HTMLElement} probe @returns {Record<string, string>} colours that the page chose */
function colours(element, probe) {
  const style = getComputedStyle(element);
  const written = COLOURS.map((name) => [name, style.getPropertyValue('--voight-' + name).trim()]);
  const resolved = written.map(([name, value]) => [name, value && resolve(value, probe)]);
  return Object.fromEntries(resolved.filter(([, value]) => value));
}

/** Applies the page's appearance to the dialog. @param {import('../../types/voight.js').VoightCheck} element @param {HTMLElement} dialog
 * @returns the settings that are sent to the window, so that it looks the same */
export function look(element, dialog) {
  const chosen = { theme: element.theme || 'auto', colours: colours(element, dialog) };
  dialog.dataset.theme = chosen.theme;
  dress(dialog, chosen.colours);
  return chosen;
}
