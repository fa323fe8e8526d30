/** Touch points inside this frame. */

import { Rows, hundredths, tenths } from './units.js';

const KINDS = ['touchstart', 'touchmove', 'touchend', 'touchcancel'];

/** Columns that are sent as differences: dt, dx, dy. */
export const TOUCH_DELTAS = [1, 2, 3];
export const touchRows = new Rows(400);

/** Identifiers of touches, which are submitted as their index: their values have no meaning and may be large.
 * @type {number[]} */
const seen = [];

/** @param {number} identifier */
function number(identifier) {
  if (!seen.includes(identifier)) seen.push(identifier);
  return seen.indexOf(identifier);
}

export function watchTouches() {
  KINDS.forEach((type, kind) => {
    addEventListener(
      type,
      (event) => {
        for (const touch of /** @type {TouchEvent} */ (event).changedTouches) {
          touchRows.add([
            kind,
            tenths(event.timeStamp),
            hundredths(touch.clientX),
            hundredths(touch.clientY),
            number(touch.identifier),
            hundredths(touch.radiusX || 0),
            hundredths(touch.radiusY || 0),
            Math.round((touch.force || 0) * 1000),
            event.isTrusted ? 1 : 0,
          ]);
        }
      },
      { capture: true, passive: true },
    );
  });
}
