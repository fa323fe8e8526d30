/** @typedef {{remaining: number, startedAt: number, timer: number, callback: () => void}} Timeout times in milliseconds */
export type Timeout = {
    remaining: number;
    startedAt: number;
    timer: number;
    callback: () => void;
};
/** Timeouts that elapse only while the page is visible: a wallet on a phone covers the page. */
export declare class Timeouts {
    #private;
    constructor();
    /** Starts a timeout. @param {number} remaining milliseconds during which the page is visible @param {() => void} callback */
    start(remaining: number, callback: () => void): void;
    /** Cancels all timeouts. */
    clear(): void;
    /** Cancels all timeouts and removes the listener. */
    dispose(): void;
}
