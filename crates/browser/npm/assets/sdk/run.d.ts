/** One check from the page's point of view, from its opening to its end. */
export type VoightError = import('../../types/voight.js').VoightError;
export type VoightState = import('../../types/voight.js').VoightState;
export type HeldEvent = import('./activation.js').HeldEvent;
export type Dialog = import('./dialog.js').Dialog;
export type Task = {
    /**
     * activation to replay, null for `verify()`
     */
    held: HeldEvent[] | null;
    setState: (name: VoightState) => void;
    emit: (name: string, detail?: unknown) => void;
    fail: (error: VoightError) => void;
    setReceipt: (receipt: string | null) => void;
    /**
     * explains a mistake to the page's developer
     */
    report: (code: string) => void;
    /**
     * runs a function while no event is held
     */
    pass: (dispatch: () => void) => void;
    /**
     * returns `true` after the element was reset
     */
    isStale: () => boolean;
};
/** Check in progress. */
export declare class Run {
    #private;
    /** @type {Promise<string>} */
    result: Promise<string>;
    /** `true` after the dialog was closed: later results are ignored. */
    isClosed: boolean;
    /** @param {Dialog} dialog @param {Task} task */
    constructor(dialog: Dialog, task: Task);
    /** Element that receives the focus after the check. @returns {HTMLElement | null} */
    get target(): HTMLElement | null;
    /** Starts the check from the beginning; also used for a retry. */
    start(): boolean | undefined;
    /** Reloads a frame once if its document is not the window. */
    awaitHello(): boolean | undefined;
    /** @param {Record<string, any>} message of the frame */
    receive(message: Record<string, any>): void;
    /** Shows the window, which is ready. */
    showWindow(): void;
    /** @param {VoightState} name state that the window reports */
    setState(name: VoightState): void;
    /** Shows and reports a failure that the window cannot show.
     * @param {string} code @param {boolean} [retryable]
     * @returns {boolean} `true` if the check could still fail */
    fail(code: string, retryable?: boolean): boolean;
    /** Reports a failure to the page that the window shows itself.
     * @param {string} code @param {boolean} retryable @param {string} reference */
    reportFailure(code: string, retryable: boolean, reference: string): void;
    /** Handles the receipt of a completed check. @param {string} receipt */
    complete(receipt: string): Promise<void>;
    /** Cancels the check; closes a check that has already ended. @param {string} reason `visitor` or `page` */
    cancel(reason?: string): void;
    /** Rejects the check because the visitor cancelled it or the page removed the element. */
    rejectCancelled(): void;
    /** Stops the timers after the dialog was closed. */
    dispose(): void;
}
