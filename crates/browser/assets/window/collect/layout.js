/** Rendered rectangles of the stage and the targets. */

import { hundredths, tenths } from './units.js';

/** @typedef {{role: string, t: number, x: number, y: number, w: number, h: number}} Rectangle */

const LIMIT = 16;
/** @type {Rectangle[]} */
let rectangles = [];
/** @type {[string, Element][]} visible elements with their roles */
let shown = [];

/** @param {[string, Element]} one @returns {Rectangle} */
function measure([role, element]) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const box = { x: hundredths(x), y: hundredths(y), w: hundredths(width), h: hundredths(height) };
  return { role, t: tenths(performance.now()), ...box };
}

/** @param {Rectangle} a @param {Rectangle | undefined} b */
const same = (a, b) => b && a.role === b.role && a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;

/** Records the rectangles of all visible elements, each target after its stage, unless none has changed. */
function record() {
  const now = shown.map(measure);
  const last = rectangles.slice(-now.length);
  if (!now.every((rectangle, at) => same(rectangle, last[at]))) rectangles = [...rectangles, ...now].slice(-LIMIT);
}

/** @param {[string, Element][]} elements with their roles, `stage`, `first`, `second` or `other` */
export function show(elements) {
  shown = elements;
  record();
}

/** @returns {Rectangle[]} */
export function takeLayout() {
  return rectangles.splice(0);
}

export function watchLayout() {
  addEventListener('resize', record);
  addEventListener('scroll', record, { capture: true, passive: true });
  // A scroll event is dispatched with the next frame, so a press can come before it.
  addEventListener('pointerdown', record, { capture: true, passive: true });
}
