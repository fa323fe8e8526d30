/** Frame of the window, and the handshake with it. */
/** Timeouts for the window's `hello`: after the frame was loaded, and after it was requested. Not every browser reports a
 * failed load. */
export declare const HELLO_TIMEOUT_MS = 1000;
/**
 * Creates the frame. `init` may be called before the window has sent `hello`; the properties are sent once, after it.
 *
 * @param {string} url
 * @param {(message: Record<string, any>) => void} receive
 * @param {() => void} onLoaded called when a document was loaded, including the browser's own error page, or forbidden by the page
 * @param {() => void} onReplaced called when another document has replaced the window
 */
export declare function connect(url: string, receive: (message: Record<string, any>) => void, onLoaded: () => void, onReplaced: () => void): {
    node: HTMLIFrameElement;
    /** Returns `true` if a document was loaded, including the browser's own error page. */
    isLoaded: () => boolean;
    /** Returns `true` if the document is the window, which sends `hello` before it is loaded. */
    isWindow: () => boolean;
    /** Returns `true` if the content security policy of the page forbids the frame. */
    isForbidden: () => boolean;
    /** Returns `true` if the timeout for `hello` has expired. */
    isUnresponsive: () => boolean;
    /** @param {Record<string, unknown>} properties */
    init(properties: Record<string, unknown>): void;
    /** @param {Record<string, unknown>} message */
    send(message: Record<string, unknown>): void;
    /** @param {unknown} height */
    resize(height: unknown): void;
    close(): void;
};
