/** Theme and colours that the page sets on the element. */

import { applyColours } from '../shared/palette.js';

/** Names of the colours, documented in `docs/guides/theming-and-localisation.md`. */
const COLOURS = ['accent', 'on-accent', 'surface', 'ink'];

/** Converts a CSS colour to `#rrggbb`. A value that is not a colour, or not opaque, is dropped.
 * @param {string} value @param {HTMLElement} probe an element whose own colour may be changed temporarily */
function toHex(value, probe) {
  probe.style.color = '';
  probe.style.color = `color-mix(in srgb, ${value}, ${value})`;
  const mixed = probe.style.color && getComputedStyle(probe).color;
  probe.style.color = '';
  const channels = /^color\(srgb ([-.\de]+) ([-.\de]+) ([-.\de]+)\)$/.exec(mixed);
  return channels && '#' + channels.slice(1).map((channel) => hexByte(Number(channel))).join('');
}

/** @param {number} channel 0 to 1, or outside of that range for colours outside of sRGB */
const hexByte = (channel) => Math.round(255 * Math.min(1, Math.max(0, channel))).toString(16).padStart(2, '0');

/** @param {HTMLElement} element @param {HTMLElement} probe @returns {Record<string, string>} colours that the page sets, by name */
function pageColours(element, probe) {
  const style = getComputedStyle(element);
  const values = COLOURS.map((name) => [name, style.getPropertyValue('--voight-' + name).trim()]);
  const colours = values.map(([name, value]) => [name, value && toHex(value, probe)]);
  return Object.fromEntries(colours.filter(([, colour]) => colour));
}

/** Applies theme and colours of the page to the dialog. @param {import('../../types/voight.js').VoightCheck} element @param {HTMLElement} dialog
 * @returns the settings that are sent to the window, so that it has the same colours */
export function applyTheme(element, dialog) {
  const settings = { theme: element.theme || 'auto', colours: pageColours(element, dialog) };
  dialog.dataset.theme = settings.theme;
  applyColours(dialog, settings.colours);
  return settings;
}
