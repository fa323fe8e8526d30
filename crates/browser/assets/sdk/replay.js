/** Replays the events of a held activation, in their order, so that each handler of the page runs as often as in the browser. */

/** @typedef {import('./activation.js').HeldEvent} HeldEvent */

/** Events that a browser does not fire after an event was prevented. @type {Record<string, RegExp>} */
const SUPPRESSED = {
  pointerdown: /^mouse/,
  touchstart: /^mouse|click/,
  touchend: /^mouse|click/,
  keydown: /keypress|click|submit/,
  keypress: /click|submit/,
  keyup: /click/,
};

/** Returns the events with the release of the last key: the window had the focus when the visitor released it.
 * @param {HeldEvent[]} held @returns {{type: string, source: Event, target: EventTarget}[]} */
function withRelease(held) {
  const events = held.map(({ event, target }) => ({ type: event.type, source: event, target }));
  const pressed = events.find(({ type }) => type === 'keydown');
  const isReleased = !pressed || events.some(({ type }) => type === 'keyup');
  return isReleased ? events : [...events, { ...pressed, type: 'keyup' }];
}

/** Returns the element that a click on a node clicks: a part of a drawing has no `click()`. @param {any} target @param {HTMLElement} element */
export function clickTarget(target, element) {
  for (let node = target; node && node !== element; node = node.parentNode) if (node.click) return node;
  return target;
}

/** Dispatches an event like its source, and lets the browser act on clicks and submitted forms.
 * @param {string} type @param {any} source @param {any} target @returns {boolean} `false` if a handler prevented it */
function dispatch(type, source, target) {
  if (type === 'submit') target.requestSubmit(source.submitter);
  // Firefox compares the position of a click on a label with the one of the press.
  else if (/^(aux)?click$/.test(type) && target.click && !target.closest('label')) target.click();
  else return dispatchCopy(type, source, target);
  return true;
}

/** Dispatches a copy of an event. @param {string} type @param {any} source @param {EventTarget} target
 * @returns {boolean} `false` if a handler prevented it */
function dispatchCopy(type, source, target) {
  try {
    return target.dispatchEvent(new source.constructor(type, source));
  } catch {
    // Not every browser constructs the events of touches.
    return true;
  }
}

/**
 * Replays a held activation. Each event is dispatched after the microtasks of the previous one, in which frameworks render.
 *
 * @param {HeldEvent[]} held
 * @param {HTMLElement} element
 * @param {(dispatch: () => void) => void} pass runs a function while events are not held
 */
export async function replay(held, element, pass) {
  /** @type {RegExp[]} */
  const suppressed = [];
  for (const { type, source, target } of withRelease(held)) {
    if (suppressed.some((pattern) => pattern.test(type))) continue;
    // The page may have replaced the child.
    const isConnected = /** @type {Node} */ (target).isConnected;
    const current = isConnected ? clickTarget(target, element) : (element.firstElementChild ?? element);
    pass(() => dispatch(type, source, current) || suppressed.push(SUPPRESSED[type] ?? /^$/));
    await null;
  }
}
