/** Replays the events of a held activation, in their order, so that each handler of the page runs as often as in the browser. */
export type HeldEvent = import('./activation.js').HeldEvent;
/** Returns the element that a click on a node clicks: a part of a drawing has no `click()`. @param {any} target @param {HTMLElement} element */
export declare function clickTarget(target: any, element: HTMLElement): any;
/**
 * Replays a held activation. Each event is dispatched after the microtasks of the previous one, in which frameworks render.
 *
 * @param {HeldEvent[]} held
 * @param {HTMLElement} element
 * @param {(dispatch: () => void) => void} pass runs a function while events are not held
 */
export declare function replay(held: HeldEvent[], element: HTMLElement, pass: (dispatch: () => void) => void): Promise<void>;
