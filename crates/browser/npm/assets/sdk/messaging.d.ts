/** Messages between page and window (`docs/reference/window-protocol.md`, section 1). */
export type Dialog = import('./dialog.js').Dialog;
export type Run = import('./run.js').Run;
/** Handles the messages of the window during one check. */
export declare class MessageChannelClient {
    #private;
    /** @param {Dialog} dialog @param {Run} run */
    constructor(dialog: Dialog, run: Run);
    /** Sends the properties of the check to the window. */
    sendInit(): void;
    /** @param {Record<string, any>} message */
    receive(message: Record<string, any>): void;
    /** @param {Record<string, unknown>} message */
    send(message: Record<string, unknown>): void;
}
