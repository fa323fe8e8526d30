/** Pointer events inside this frame. */

import { Rows, hundredths, role, tenths } from './units.js';

const KINDS = ['pointermove', 'pointerdown', 'pointerup', 'pointercancel', 'pointerenter', 'pointerleave', 'click'];
const TYPES = ['mouse', 'pen', 'touch'];
const MAX_TIMES = 16;

/** Columns that are sent as differences: dt, dx, dy, dsx, dsy. */
export const POINTER_DELTAS = [1, 2, 3, 4, 5];

export const pointerRows = new Rows(1200);

/** @param {PointerEvent} event @param {'getCoalescedEvents' | 'getPredictedEvents'} method @returns {PointerEvent[] | null} */
const parts = (event, method) => (typeof event[method] === 'function' ? event[method]() : null);

/** @param {number} kind @param {PointerEvent} event */
function row(kind, event) {
  const at = event.timeStamp;
  const coalesced = parts(event, 'getCoalescedEvents');
  const predicted = parts(event, 'getPredictedEvents');
  const type = TYPES.indexOf(event.pointerType);
  const detail = kind === 6 ? event.detail << 2 : 0;
  return [
    kind,
    tenths(at),
    hundredths(event.clientX),
    hundredths(event.clientY),
    hundredths(event.screenX),
    hundredths(event.screenY),
    hundredths(event.movementX || 0),
    hundredths(event.movementY || 0),
    event.buttons,
    Math.round((event.pressure || 0) * 1000),
    type < 0 ? 3 : type,
    (event.isTrusted ? 1 : 0) | (event.isPrimary ? 2 : 0) | detail,
    role(event.target),
    coalesced ? coalesced.length : -1,
    predicted ? predicted.length : -1,
    tenths(performance.now() - at),
    (coalesced ?? []).slice(-MAX_TIMES).map((part) => tenths(part.timeStamp - at)),
  ];
}

export function watchPointer() {
  KINDS.forEach((type, kind) => {
    const edge = type === 'pointerenter' || type === 'pointerleave';
    const on = edge ? document.documentElement : window;
    on.addEventListener(
      type,
      (event) => pointerRows.add(row(kind, /** @type {PointerEvent} */ (event))),
      { capture: !edge, passive: true },
    );
  });
}
