/** Rectangles as they were rendered. */

import { hundredths, tenths } from './units.js';

/** @typedef {{role: string, t: number, x: number, y: number, w: number, h: number}} Rectangle */

const LIMIT = 16;
/** @type {Rectangle[]} */
let rectangles = [];
/** @type {[string, Element][]} what is on screen now */
let shown = [];

/** @param {[string, Element]} one @returns {Rectangle} */
function measure([role, element]) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const box = { x: hundredths(x), y: hundredths(y), w: hundredths(width), h: hundredths(height) };
  return { role, t: tenths(performance.now()), ...box };
}

/** @param {Rectangle} a @param {Rectangle | undefined} b */
const same = (a, b) => b && a.role === b.role && a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;

/** Notes all that is shown, so that each target stands behind its stage; what has not moved is noted once. */
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
}
