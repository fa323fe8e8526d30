/** Frame of the window, and the handshake with it. */
/**
 * Creates the frame. `init` may be called before the window has sent `hello`; the properties are sent once, after it.
 *
 * @param {string} url
 * @param {(message: Record<string, any>) => void} receive
 * @param {() => void} onReplaced called when another document has replaced the window
 */
export declare function connect(url: string, receive: (message: Record<string, any>) => void, onReplaced: () => void): {
    node: HTMLIFrameElement;
    /** Returns `true` if a document was loaded, including the browser's own error page. */
    isLoaded: () => boolean;
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
