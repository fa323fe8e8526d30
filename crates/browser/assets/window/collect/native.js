/** Verifies that native functions are native, by the unpatched `toString` of a nested frame. */

import { untapped } from './taps.js';

/** @type {[string, string[], string[]][]} interface, methods, getters */
const LOOKED_AT = [
  ['Navigator', [], ['webdriver', 'userAgent', 'platform', 'languages', 'hardwareConcurrency', 'plugins', 'maxTouchPoints']],
  ['Screen', [], ['width', 'height', 'availWidth', 'availHeight', 'colorDepth']],
  ['MouseEvent', [], ['screenX', 'screenY', 'clientX', 'clientY', 'movementX']],
  ['PointerEvent', ['getCoalescedEvents'], ['pressure', 'pointerType']],
  ['Event', [], ['timeStamp']],
  ['Document', ['querySelector', 'createElement', 'hasFocus'], ['hidden', 'visibilityState']],
  ['Element', ['getBoundingClientRect', 'getClientRects', 'attachShadow'], []],
  ['EventTarget', ['addEventListener', 'dispatchEvent'], []],
  ['HTMLCanvasElement', ['toDataURL', 'getContext'], []],
  ['CanvasRenderingContext2D', ['getImageData', 'measureText'], []],
  ['WebGLRenderingContext', ['getParameter'], []],
  ['HTMLIFrameElement', [], ['contentWindow']],
  ['Permissions', ['query'], []],
  ['Performance', ['now'], ['timeOrigin']],
  ['Function', ['toString', 'call'], []],
];

/** Returns the `toString` of a nested frame's functions, which works after the frame is removed.
 * @param {Window} clean a nested frame @returns {Function} */
export const cleanText = (clean) => /** @type {any} */ (clean).Function.prototype.toString;

/** Verifies the current functions. For a function that this window wraps, verifies the wrapped one, as long as the wrapper is
 * still in place. @param {Function} show an unpatched `toString` */
export function integrity(show) {
  /** @type {string[]} */
  const failed = [];
  let checked = 0;

  /** @param {string} name @param {unknown} found */
  const isNative = (name, found) =>
    typeof found === 'function' &&
    new RegExp(`^function (get )?${name}\\(\\)\\s*\\{\\s*\\[native code\\]\\s*\\}$`).test(show.call(found)) &&
    !Object.hasOwn(found, 'prototype') &&
    !Object.hasOwn(found, 'toString');
  /** @param {string} name @param {unknown} found @param {string} label */
  const look = (name, found, label) => {
    const original = untapped(label, found);
    if (typeof original !== 'function' && original === found) return;
    checked += 1;
    if (!isNative(name, original)) failed.push(label);
  };
  for (const [type, methods, getters] of LOOKED_AT) {
    const prototype = /** @type {any} */ (globalThis)[type]?.prototype;
    if (!prototype) continue;
    for (const name of methods) look(name, prototype[name], `${type}.${name}`);
    for (const name of getters) {
      look(name, Object.getOwnPropertyDescriptor(prototype, name)?.get, `${type}.${name}`);
    }
  }
  return { checked, failed: failed.slice(0, 32) };
}
