/**
 * Explanations for the page's developer: one message in the console for each error and each mistake, with its remedy and the address of
 * its documentation. The table is the one of `docs/reference/component.md`; this module is loaded with the first message.
 */
export type VoightCheck = import('../../types/voight.js').VoightCheck;
/** Explains an error of an element, and the mistakes in its attributes. @param {VoightCheck} element @param {string} [code] @param {string} [reference] */
export declare function report(element: VoightCheck, code?: string, reference?: string): void;
