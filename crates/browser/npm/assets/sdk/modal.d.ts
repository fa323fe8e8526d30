/** Native dialog in the element's shadow root. */
export declare class Modal {
    #private;
    node: HTMLDialogElement;
    /** @param {ShadowRoot} root @param {() => void} cancel called when the visitor presses Escape, or the page closes the dialog */
    constructor(root: ShadowRoot, cancel: () => void);
    /** Returns `true` if this browser has the features that the window needs. */
    get isSupported(): boolean;
    /** Adds the closed dialog to the page. */
    attach(): void;
    open(): void;
    /** Makes the dialog non-modal, so that a wallet can show its interface in the page. */
    makeNonModal(): void;
    /** Makes the dialog modal again.
     * @returns {boolean} `true` if it was open and non-modal */
    makeModal(): boolean;
    /** @param {HTMLElement | null} target element that receives the focus */
    close(target: HTMLElement | null): void;
}
