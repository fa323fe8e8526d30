/** Activation of a wrapped child: the events of a press, which are held until a check is completed. */
export type HeldEvent = {
    event: Event;
    target: EventTarget;
};
/** Event that was held, and the node to which it is dispatched again. @typedef {{event: Event, target: EventTarget}} HeldEvent */
/** Events by which a page can act on a press. A browser fires most of them before the click, and some without one. */
export declare const ACTIVATION_EVENTS: string[];
/** Events whose effect in the browser is prevented: it follows a link, submits a form, or toggles a field. */
export declare const PREVENTED_EVENTS: RegExp;
/**
 * Returns `true` if an event is part of an activation: a press, a choice, or the keys Enter and Space. In a field for text, only Enter
 * in a single line is one.
 *
 * @param {any} event @param {any} target
 */
export declare function isActivation(event: any, target: any): boolean;
/** Returns the events of a press with a further one, which may start another press.
 * @param {HeldEvent[]} held @param {any} event @param {EventTarget} target @returns {HeldEvent[]} */
export declare function record(held: HeldEvent[], event: any, target: EventTarget): HeldEvent[];
/** Returns `true` if an event completes an activation. @param {any} event */
export declare const isComplete: ({ type, button }: any) => boolean;
/** Returns `true` for a release that may be the last event of an activation: no click follows a key on an element that is not a
 * button, and none follows the events of a script. @param {Event} event */
export declare const isRelease: ({ type, isTrusted }: Event) => boolean;
