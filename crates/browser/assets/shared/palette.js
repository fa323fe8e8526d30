/**
 * Applies the page's own colours if texts remain readable in them. The component reads them from custom properties of its
 * element and sends them to the window as `#rrggbb`; both use this module.
 */

/** @typedef {Partial<Record<'accent' | 'on-accent' | 'surface' | 'ink', string>>} Colours colours that a page may choose */

/** Minimum contrast of text, and of other elements (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
/** Share of ink in the background of targets and texts. */
const STAGE_SHARE = 0.04;
const DARK = '#0c1430';
const LIGHT = '#ffffff';
/** Readable on every colour on which white is not. */
const BLACK = '#000000';

/** @param {string} colour `#rrggbb` @returns {number[]} red, green and blue, 0 to 1 */
const channels = (colour) => [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255);

/** Returns the relative luminance (WCAG 2.2). @param {string} colour */
function luminance(colour) {
  const linear = (/** @type {number} */ channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
  const [red, green, blue] = channels(colour).map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colours. @param {string} one @param {string} other @returns {number} 1 to 21 */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Mixes two colours. @param {string} from @param {string} to @param {number} share share of the second colour */
function mix(from, to, share) {
  const target = channels(to);
  const bytes = channels(from).map((channel, index) => Math.round(255 * (channel + (target[index] - channel) * share)));
  return '#' + bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Derives colours from surface and ink, each readable. @param {string} surface @param {string} ink @param {(name: string) => string} defaults */
function surfaceColours(surface, ink, defaults) {
  const stage = mix(surface, ink, STAGE_SHARE);
  const readable = (/** @type {string} */ name) => (contrast(defaults(name), stage) < TEXT_CONTRAST ? ink : defaults(name));
  const [soft, good, bad] = ['soft', 'good', 'bad'].map(readable);
  return { surface, ink, stage, soft, good, bad, edge: mix(surface, ink, 0.16), dot: mix(surface, ink, 0.2) };
}

/** Derives colours from an accent. @param {string} accent @param {string | undefined} preferred colour of text on it */
function accentColours(accent, preferred) {
  const text = [preferred, LIGHT, DARK].find((colour) => colour && contrast(colour, accent) >= TEXT_CONTRAST) ?? BLACK;
  return { accent, 'on-accent': text, 'accent-deep': mix(accent, text === LIGHT ? DARK : LIGHT, 0.2) };
}

/** @param {unknown} colours untrusted value @returns {Colours} the valid colours in it */
function validColours(colours) {
  const pairs = Object.entries(/** @type {Colours} */ (colours ?? {}));
  return Object.fromEntries(pairs.filter(([, colour]) => /^#[\da-f]{6}$/.test(String(colour))));
}

/**
 * Sets the colours that a page chose, and colours derived from them, on an element that has the default colours as variables.
 * Colours that are not readable are ignored, and the defaults stay.
 *
 * @param {HTMLElement} element
 * @param {unknown} colours untrusted value
 */
export function applyColours(element, colours) {
  element.removeAttribute('style');
  const style = getComputedStyle(element);
  const defaults = (/** @type {string} */ name) => style.getPropertyValue('--' + name).trim();
  const chosen = validColours(colours);
  if (Object.keys(chosen).length === 0) return;
  const [surface, ink] = [chosen.surface ?? defaults('surface'), chosen.ink ?? defaults('ink')];
  const isReadable = contrast(ink, mix(surface, ink, STAGE_SHARE)) >= TEXT_CONTRAST;
  const [base, text] = isReadable ? [surface, ink] : [defaults('surface'), defaults('ink')];
  const accents = [chosen.accent, defaults('accent'), text];
  const accent = accents.find((colour) => colour && contrast(colour, base) >= SHAPE_CONTRAST) ?? text;
  const derived = { ...(isReadable && surfaceColours(surface, ink, defaults)), ...accentColours(accent, chosen['on-accent']) };
  for (const [name, colour] of Object.entries(derived)) element.style.setProperty('--' + name, colour);
}
