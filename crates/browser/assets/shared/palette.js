/**
 * Applies the page's own colours if texts remain readable in them. The component reads them from custom properties of its
 * element and sends them to the window as `#rrggbb`; both use this module.
 */

/** @typedef {Partial<Record<'accent' | 'on-accent' | 'surface' | 'ink', string>>} Colours colours that a page may choose */

/** Minimum contrast of text, and of other elements (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = 4.5;
const SHAPE = 3;
/** Share of ink in the background of targets and texts. */
const STAGE = 0.04;
const DARK = '#0c1430';
const LIGHT = '#ffffff';
/** Readable on every colour on which white is not. */
const BLACK = '#000000';

/** @param {string} colour `#rrggbb` @returns {number[]} three numbers up to 1 */
const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);

/** @param {string} colour */
function luminance(colour) {
  const [red, green, blue] = parts(colour).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} one @param {string} other @returns {number} 1 to 21 */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {string} from @param {string} to @param {number} share share of the second colour */
function mix(from, to, share) {
  const target = parts(to);
  const mixed = parts(from).map((part, at) => Math.round(255 * (part + (target[at] - part) * share)));
  return '#' + mixed.map((part) => part.toString(16).padStart(2, '0')).join('');
}

/** Derives colours from surface and ink, each readable. @param {string} surface @param {string} ink @param {(name: string) => string} own */
function ground(surface, ink, own) {
  const stage = mix(surface, ink, STAGE);
  const readable = (/** @type {string} */ name) => (contrast(own(name), stage) < TEXT ? ink : own(name));
  const [soft, good, bad] = ['soft', 'good', 'bad'].map(readable);
  return { surface, ink, stage, soft, good, bad, edge: mix(surface, ink, 0.16), dot: mix(surface, ink, 0.2) };
}

/** Derives colours from an accent. @param {string} accent @param {string | undefined} asked colour of text on it */
function emphasis(accent, asked) {
  const legible = [asked, LIGHT, DARK].find((colour) => colour && contrast(colour, accent) >= TEXT) ?? BLACK;
  return { accent, 'on-accent': legible, 'accent-deep': mix(accent, legible === LIGHT ? DARK : LIGHT, 0.2) };
}

/** @param {unknown} asked untrusted value @returns {Colours} the valid colours in it */
function colours(asked) {
  const pairs = Object.entries(/** @type {Colours} */ (asked ?? {}));
  return Object.fromEntries(pairs.filter(([, colour]) => /^#[\da-f]{6}$/.test(String(colour))));
}

/**
 * Sets the colours that a page chose, and colours derived from them, on an element that has the default colours as variables.
 * Colours that are not readable are ignored, and the defaults stay.
 *
 * @param {HTMLElement} element
 * @param {unknown} asked
 */
export function dress(element, asked) {
  element.removeAttribute('style');
  const style = getComputedStyle(element);
  const own = (/** @type {string} */ name) => style.getPropertyValue('--' + name).trim();
  const chosen = colours(asked);
  if (Object.keys(chosen).length === 0) return;
  const [surface, ink] = [chosen.surface ?? own('surface'), chosen.ink ?? own('ink')];
  const readable = contrast(ink, mix(surface, ink, STAGE)) >= TEXT;
  const [base, text] = readable ? [surface, ink] : [own('surface'), own('ink')];
  const accent = [chosen.accent, own('accent'), text].find((colour) => colour && contrast(colour, base) >= SHAPE) ?? text;
  const taken = { ...(readable && ground(surface, ink, own)), ...emphasis(accent, chosen['on-accent']) };
  for (const [name, colour] of Object.entries(taken)) element.style.setProperty('--' + name, colour);
}
