/** Whether native functions still look native, seen with the clean `toString` of a nested frame. */

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

/** @param {Window} clean a nested frame */
export function integrity(clean) {
  const show = /** @type {any} */ (clean).Function.prototype.toString;
  /** @type {string[]} */
  const failed = [];
  let checked = 0;

  /** @param {string} name @param {unknown} found @param {string} label */
  const look = (name, found, label) => {
    if (typeof found !== 'function') return;
    checked += 1;
    const looks = new RegExp(`^function (get )?${name}\\(\\)\\s*\\{\\s*\\[native code\\]\\s*\\}$`);
    const text = show.call(found);
    if (!looks.test(text) || Object.hasOwn(found, 'prototype') || Object.hasOwn(found, 'toString')) failed.push(label);
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
