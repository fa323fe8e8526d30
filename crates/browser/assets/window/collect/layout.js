/** Rectangles as they were rendered. */

import { hundredths, tenths } from './units.js';

/** @typedef {{role: string, t: number, x: number, y: number, w: number, h: number}} Rectangle */

const LIMIT = 16;
/** @type {Rectangle[]} */
let rectangles = [];
/** @type {[string, Element][]} what is on screen now */
let shown = [];

function record() {
  for (const [role, element] of shown) {
    const { x, y, width, height } = element.getBoundingClientRect();
    const box = { x: hundredths(x), y: hundredths(y), w: hundredths(width), h: hundredths(height) };
    rectangles.push({ role, t: tenths(performance.now()), ...box });
  }
  rectangles = rectangles.slice(-LIMIT);
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
