/**
 * Stacks of callers from outside that use this window's document: automation tools find targets by the same methods as a page,
 * with other stacks than this window's own code. Only this frame's methods are wrapped.
 */

const LIMIT = 16;
const LENGTH = 160;
/** @type {[string, string[]][]} */
const METHODS = [
  ['Document', ['querySelector', 'querySelectorAll', 'getElementById', 'elementFromPoint', 'elementsFromPoint', 'evaluate']],
  ['Element', ['querySelector', 'querySelectorAll', 'getBoundingClientRect', 'getClientRects', 'scrollIntoView', 'matches']],
  ['HTMLElement', ['click', 'focus']],
];

/** @type {Set<string>} */
const shapes = new Set();
/** Wrapper of each method, and the wrapped method, by `interface.method`.
 * @type {Map<string, {wrapper: unknown, original: unknown}>} */
const taps = new Map();

/** Removes addresses and positions: they differ for each installation, and a path may be personal data.
 * @param {string} line one line of a stack */
function frame(line) {
  return line
    .trim()
    .replace(/^at /, '')
    .replaceAll(location.origin, 'own:')
    .replace(/(https?|file|[\w-]+-extension):[^\s)]*/g, '$1:')
    .replace(/own:[^\s):]*/g, 'own:')
    .replace(/%20[^\s)]*|(:\d+)+(?=\)?$)/g, '');
}

/** Returns `true` if a frame has a position; a frame of the engine itself (`Array.map`, `new Promise`) has none.
 * @param {string} line */
const placed = (line) => /\d\)?$/.test(line);

/** @param {string} method */
function note(method) {
  if (shapes.size >= LIMIT) return;
  const lines = String(new Error('tap').stack).split('\n');
  // V8 puts the text of the error first. In every engine, the first two frames are those of `note` and the wrapper.
  const callers = lines.slice(lines[0].startsWith('Error') ? 3 : 2).filter(placed).map(frame);
  if (callers.length > 0 && callers.every((caller) => caller.includes('own:'))) return;
  shapes.add(`${method}: ${callers.slice(0, 4).join(' | ')}`.slice(0, LENGTH));
}

export function startTaps() {
  for (const [type, methods] of METHODS) {
    const prototype = /** @type {any} */ (globalThis)[type].prototype;
    for (const method of methods) {
      const original = prototype[method];
      /** @this {unknown} @param {any[]} args */
      const wrapper = function (...args) {
        note(method);
        return original.apply(this, args);
      };
      prototype[method] = wrapper;
      taps.set(`${type}.${method}`, { wrapper, original });
    }
  }
}

/** Returns the method that a wrapper replaced, so that the wrapper itself is not reported as a driver's function.
 * @param {string} label `interface.method` @param {unknown} found current method @returns {unknown} null if another function has replaced the wrapper */
export function untapped(label, found) {
  const tap = taps.get(label);
  if (!tap) return found;
  return found === tap.wrapper ? tap.original : null;
}

/** @returns {string[]} */
export const tapped = () => [...shapes];
