/** Theme and colours that the page sets on the element. */
/** Applies theme and colours of the page to the dialog. @param {import('../../types/voight.js').VoightCheck} element @param {HTMLElement} dialog
 * @returns the settings that are sent to the window, so that it has the same colours */
export declare function applyTheme(element: import('../../types/voight.js').VoightCheck, dialog: HTMLElement): {
    theme: string;
    colours: Record<string, string>;
};
