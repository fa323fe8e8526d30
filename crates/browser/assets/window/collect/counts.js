/** Number of events of each kind in this frame since it was loaded. */

const counts = { move: 0, raw: 0, down: 0, up: 0, click: 0, key: 0, touch: 0, wheel: 0 };

/** @type {[keyof typeof counts, string[]][]} */
const KINDS = [
  ['move', ['pointermove']],
  ['raw', ['pointerrawupdate']],
  ['down', ['pointerdown']],
  ['up', ['pointerup']],
  ['click', ['click']],
  ['key', ['keydown']],
  ['touch', ['touchstart', 'touchmove', 'touchend', 'touchcancel']],
  ['wheel', ['wheel']],
];

export function watchCounts() {
  for (const [name, types] of KINDS) {
    for (const type of types) addEventListener(type, () => (counts[name] += 1), { capture: true, passive: true });
  }
}

export const counted = () => ({ ...counts });
