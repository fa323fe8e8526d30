/** Validates the properties that the page sets. */
export type VoightCheck = import('../../types/voight.js').VoightCheck;
/** @param {VoightCheck} element @returns {string | null} URL of the window's document; null if a property is missing */
export declare function windowUrl({ baseUrl, contextId, locale }: VoightCheck): string | null;
/** Returns address, context and service of an element, equal for equal values in another spelling.
 * @param {VoightCheck} element */
export declare const identity: ({ eoaAddress, contextId, baseUrl }: VoightCheck) => string;
/** @param {VoightCheck} element @returns {string | null} code of the first error */
export declare function validate({ originSite, eoaAddress, contextId, baseUrl, confirm, signMessage }: VoightCheck): string | null;
