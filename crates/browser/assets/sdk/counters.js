/** Counts input events in the host page: numbers only, never positions, keys or texts. */

/** @typedef {'move' | 'down' | 'up' | 'click' | 'key' | 'touch' | 'wheel' | 'scroll'} Kind */
/** @typedef {Record<'ms' | Kind | 'untrusted', number>} HostCounts */

/** @type {Record<Kind, string[]>} */
const KINDS = {
  move: ['pointermove'],
  down: ['pointerdown'],
  up: ['pointerup'],
  click: ['click'],
  key: ['keydown'],
  touch: ['touchstart', 'touchmove', 'touchend', 'touchcancel'],
  wheel: ['wheel'],
  scroll: ['scroll'],
};

const counts = { move: 0, down: 0, up: 0, click: 0, key: 0, touch: 0, wheel: 0, scroll: 0, untrusted: 0 };
/** Time at which counting started. @type {number | null} */
let startedAt = null;

/** Starts counting, and returns the time at which it started. All elements of a page share the counts. */
export function startCounting() {
  return (startedAt ??= performance.now());
}

/** Returns the counts so far; starts counting if it has not started. @returns {HostCounts} */
export function hostCounts() {
  return { ms: Math.round(performance.now() - startCounting()), ...counts };
}

/** @param {Kind} kind @param {Event} event */
function count(kind, event) {
  if (startedAt === null) return;
  counts[kind] += 1;
  if (!event.isTrusted) counts.untrusted += 1;
}

// These listeners are registered before those that hold events: a check that a click starts counts the click.
if (globalThis.customElements) {
  for (const [kind, types] of Object.entries(KINDS)) {
    const listener = (/** @type {Event} */ event) => count(/** @type {Kind} */ (kind), event);
    for (const type of types) addEventListener(type, listener, { capture: true, passive: true });
  }
}
