/** Counts input events in the host page: numbers only, never positions, keys or texts. */

/** @type {Record<string, string[]>} */
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

/** @typedef {Record<'ms' | 'move' | 'down' | 'up' | 'click' | 'key' | 'touch' | 'wheel' | 'scroll' | 'untrusted', number>} HostCounts */

/** @type {(() => HostCounts) | null} */
let shared = null;

/** Returns the counters, which all elements of a page share.
 * @returns {() => HostCounts} */
export function counters() {
  shared ??= startCounting();
  return shared;
}

/** @returns {() => HostCounts} */
function startCounting() {
  const counts = { move: 0, down: 0, up: 0, click: 0, key: 0, touch: 0, wheel: 0, scroll: 0, untrusted: 0 };
  const startedAt = performance.now();
  for (const [kind, types] of Object.entries(KINDS)) {
    for (const type of types) {
      addEventListener(
        type,
        (event) => {
          counts[/** @type {keyof typeof counts} */ (kind)] += 1;
          if (!event.isTrusted) counts.untrusted += 1;
        },
        { capture: true, passive: true },
      );
    }
  }
  return () => ({ ms: Math.round(performance.now() - startedAt), ...counts });
}
