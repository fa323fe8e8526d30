/** Content of the dialog while the window shows nothing: before it is loaded, after it failed, and after the check. */
export type VoightError = import('../../types/voight.js').VoightError;
export type VoightLabels = import('../../types/voight.js').VoightLabels;
export type Choice = [keyof VoightLabels, () => void];
/** @param {() => Partial<VoightLabels>} labels the page's own texts, which have priority */
export declare function createStatusPanel(labels: () => Partial<VoightLabels>): {
    node: HTMLDivElement;
    text: (name: keyof VoightLabels) => string;
    /** Loads the texts in the best match for the languages of the page and the browser. @param {string} locale */
    setLanguage(locale: string): Promise<void>;
    hide(): void;
    /** @param {'opening' | 'confirming'} name @param {() => void} close */
    showProgress(name: 'opening' | 'confirming', close: () => void): void;
    /** Shows a failure. An unreachable window may be blocked; any other failure is the page's own, and its code helps the page's developer.
     * @param {VoightError} error @param {() => void} retry @param {() => void} close */
    showFailure({ code, retryable }: VoightError, retry: () => void, close: () => void): void;
    /** @param {string} reason @param {() => void} close */
    showDeclined(reason: string, close: () => void): void;
    /** Shows a button that continues a completed check. @param {() => void} onContinue */
    showContinue(onContinue: () => void): void;
};
