/** Selects the language of the texts for a visitor. The service uses the same rules for the window. */
export type Texts = Record<string, string | Record<string, string>>;
/** @param {readonly string[]} tags language tags, in order of preference @returns {string} language of the texts, English by default */
export declare function selectLanguage(tags: readonly string[]): string;
/** Loads the texts of a language. @param {string} language a result of `selectLanguage` @returns {Promise<Texts>} */
export declare const loadTexts: (language: string) => Promise<Texts>;
