/** Validates the properties that the page sets. */
export type VoightCheck = import('../../types/voight.js').VoightCheck;
/** @param {VoightCheck} element @returns {string | null} URL of the window's document; null if a property is missing */
export declare function windowUrl({ baseUrl, contextId, locale }: VoightCheck): string | null;
/** @param {VoightCheck} element @returns {string | null} code of the first error */
export declare function validate({ originSite, eoaAddress, contextId, baseUrl, confirm, signMessage }: VoightCheck): string | null;
