/**
 * `<voight-check>`: wraps any child, holds its activation (`activation.js`), and replays it after the check is completed. Dialog and
 * messaging are in `dialog.js`, which is loaded at the first sign of intent, so that a page without a click loads this file only.
 *
 * Importing this module without a document (during server rendering) defines nothing and throws nothing.
 */
import { hostCounts } from './counters.js';
export { hostCounts };
export type VoightState = import('../../types/voight.js').VoightState;
export type VoightError = import('../../types/voight.js').VoightError;
export type VoightAttributes = import('../../types/voight.js').VoightAttributes;
export type VoightLabels = import('../../types/voight.js').VoightLabels;
export type VoightProperties = import('../../types/voight.js').VoightProperties;
export type HeldEvent = import('./activation.js').HeldEvent;
export type Dialog = import('./dialog.js').Dialog;
export type Own = import('../../types/voight.js').VoightOwnProperties;
/** @typedef {import('../../types/voight.js').VoightOwnProperties} Own */
declare const Base: new () => HTMLElement & Own;
/** Element `<voight-check>`. Its properties are described in `types/voight.d.ts`. */
export declare class VoightCheck extends Base {
    #private;
    static observedAttributes: string[];
    constructor();
    connectedCallback(): void;
    /** Ends a check in progress, since no frame survives a move in the document. A receipt remains. */
    disconnectedCallback(): void;
    /** Does nothing, because frames survive a move with `moveBefore`. The method prevents the call of `disconnectedCallback`. */
    connectedMoveCallback(): void;
    /** Resets the element on a change of address, context or service: a receipt is for one address and context.
     * @param {string} _name @param {string | null} oldValue @param {string | null} newValue */
    attributeChangedCallback(_name: string, oldValue: string | null, newValue: string | null): void;
    get state(): import("../../types/voight.js").VoightState;
    /** Receipt of the last completed check, or null. It never contains a finding. */
    get receipt(): string | null;
    get replayClick(): boolean;
    set replayClick(value: boolean);
    /** Loads the window in the background, so that it is ready at the click. */
    load(): void;
    /** Runs a check without a click to replay; returns the promise of the check in progress if there is one. After the dialog is
     * closed without a receipt, rejects with an error with `code`, `retryable` and `reference`. */
    verify(): Promise<string>;
    /** Cancels the check in progress, as the visitor can. */
    close(): void;
    /** Resets the element: no receipt, no window. */
    reset(): void;
}
