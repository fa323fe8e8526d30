/**
 * Shapes of callers that touch this window's document from outside: automation tools look targets up through the same
 * methods that a page uses, and their stacks look unlike ours. Only this frame's methods are wrapped.
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
/** Our wrapper of each method, and the method it wraps, by `interface.method`.
 * @type {Map<string, {wrapper: unknown, original: unknown}>} */
const taps = new Map();

/** Our own address, the addresses of others and positions are no shape, and a path would be personal.
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

/** A frame of the engine itself (`Array.map`, `new Promise`) has no position.
 * @param {string} line */
const placed = (line) => /\d\)?$/.test(line);

/** @param {string} method */
function note(method) {
  if (shapes.size >= LIMIT) return;
  const lines = String(new Error('tap').stack).split('\n');
  // In V8 the text of the error comes first; then our two frames, in every engine.
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

/** Resolves a method to what our wrapper replaced, so that the wrapper itself is never taken for a driver's.
 * @param {string} label `interface.method` @param {unknown} found @returns {unknown} null where another function took the wrapper's place */
export function untapped(label, found) {
  const tap = taps.get(label);
  if (!tap) return found;
  return found === tap.wrapper ? tap.original : null;
}

/** @returns {string[]} */
export const tapped = () => [...shapes];
