/** Activation of a wrapped child: the events of a press, which are held until a check is completed. */

/** Event that was held, and the node to which it is dispatched again. @typedef {{event: Event, target: EventTarget}} HeldEvent */

/** Events by which a page can act on a press. A browser fires most of them before the click, and some without one. */
export const ACTIVATION_EVENTS = (
  'pointerdown mousedown touchstart pointerup mouseup touchend click auxclick dblclick ' + 'keydown keypress keyup input change submit'
).split(' ');

/** Events whose effect in the browser is prevented: it follows a link, submits a form, or toggles a field. */
export const PREVENTED_EVENTS = /^(aux)?click|submit/;

/** Types of the fields in which a visitor types. */
const TEXT_TYPES = /^(text(area)?|search|url|tel|email|password|number|date.*|month|week|time)$/;
/** An older press does not belong to a click: a script or assistive technology made the click. */
const MAX_GAP_MS = 1000;
const MAX_EVENTS = 32;

/**
 * Returns `true` if an event is part of an activation: a press, a choice, or the keys Enter and Space. In a field for text, only Enter
 * in a single line is one.
 *
 * @param {any} event @param {any} target
 */
export function isActivation(event, target) {
  if (event.type === 'submit') return true;
  const isText = target.isContentEditable || TEXT_TYPES.test(target.type);
  if (event.key === 'Enter' && target.localName === 'input') return !event.isComposing;
  return !isText && ['Enter', ' ', undefined].includes(event.key);
}

/** Returns the events of a press with a further one, which may start another press.
 * @param {HeldEvent[]} held @param {any} event @param {EventTarget} target @returns {HeldEvent[]} */
export function record(held, event, target) {
  const { type, repeat, timeStamp } = event;
  if (repeat) return held;
  const last = held.at(-1)?.event;
  const isLate = type === 'click' && last && timeStamp - last.timeStamp > MAX_GAP_MS;
  const isFirst = isLate || type === 'pointerdown' || type === 'keydown';
  // A slider fires an event for each of its values.
  const isSame = type === 'input' && last?.type === type;
  return [...(isFirst ? [] : held.slice(0, isSame ? -1 : MAX_EVENTS)), { event, target }];
}

/** Returns `true` if an event completes an activation. @param {any} event */
export const isComplete = ({ type, button }) => /^click|change|submit/.test(type) || (type === 'auxclick' && button === 1);

/** Returns `true` for a release that may be the last event of an activation: no click follows a key on an element that is not a
 * button, and none follows the events of a script. @param {Event} event */
export const isRelease = ({ type, isTrusted }) => type === 'keyup' || (!isTrusted && /up|end/.test(type));
