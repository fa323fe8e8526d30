/**
 * The host page's side of the window: a dialog around a sandboxed frame of the service. Dialog and frame are loaded at the
 * first sign of intent; no data is sent to the frame before a click.
 */
import { connect } from './frame.js';
export type VoightCheck = import('../../types/voight.js').VoightCheck;
export type Task = import('./run.js').Task;
/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */
/** @typedef {import('./run.js').Task} Task */
/** Dialog of one element. */
export declare class Dialog {
    #private;
    element: import("./voight.js").VoightCheck;
    panel: {
        node: HTMLDivElement;
        text: (name: keyof import("./status-panel.js").VoightLabels) => string;
        setLanguage(locale: string): Promise<void>;
        hide(): void;
        showProgress(name: 'opening' | 'confirming', close: () => void): void;
        showFailure({ code, retryable }: import("./status-panel.js").VoightError, retry: () => void, close: () => void): void;
        showDeclined(reason: string, close: () => void): void;
        showContinue(onContinue: () => void): void;
    };
    /** @type {ReturnType<typeof connect> | null} */
    frame: ReturnType<typeof connect> | null;
    /** @param {VoightCheck} element */
    constructor(element: VoightCheck);
    /** Returns `true` until the dialog of a check is closed. */
    get isOpen(): boolean;
    /** Returns `true` if address, context or service of the element are not those of the last check. */
    isChanged(): boolean;
    /** Loads the frame into the closed dialog. */
    prepare(): void;
    /** Loads a frame unless the current one is usable. */
    ensureFrame(): void;
    /** Loads a new frame. */
    loadFrame(): void;
    /** Removes the frame: a check is never continued in an old frame. */
    removeFrame(): void;
    /** Opens the dialog and starts a check. @param {Task} task @returns {Promise<string>} the receipt; rejects with a `VoightError` */
    open(task: Task): Promise<string>;
    /** Handles a change of wallet or context. An open window is never rebuilt: it fails, and the visitor may start again.
     * @returns {boolean} `true` if a check was in progress */
    failChanged(): boolean;
    /** @param {string} [reason] @returns {boolean} `true` if a check was cancelled */
    cancel(reason?: string): boolean;
    /** Cleans up after the element was removed or reset. */
    destroy(): void;
    /** Calls `callback` when a receipt expires, unless a new check starts before. @param {string} receipt @param {() => void} callback */
    onExpiry(receipt: string, callback: () => void): void;
    /** Closes the dialog and ends the check in progress. */
    close(): void;
    /** Makes the page usable while the wallet signs. */
    makeNonModal(): void;
    /** Makes everything except the window inert. */
    makeModal(): void;
    /** Applies theme and colours. @returns the settings that are sent to the window */
    applyTheme(): {
        theme: string;
        colours: Record<string, string>;
    };
}
