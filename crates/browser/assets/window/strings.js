/** The window's texts. English is always there; another language overrides what it translates. */

/** @type {Record<string, string>} */
let texts = {};

/** @param {string} locale @returns {Promise<Record<string, string>>} */
const fetched = (locale) => import(`/window/v1/locales/${locale}.js`).then((module) => module.default);

/** @param {string} locale the document's language, which the service chose among those it has */
export async function load(locale) {
  const [english, own] = await Promise.all([fetched('en'), locale === 'en' ? {} : fetched(locale)]);
  texts = { ...english, ...own };
}

/** @param {string} name @param {Record<string, string>} [values] */
export function text(name, values = {}) {
  return (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
}

/** @param {string} name @param {string} otherwise the name of a text that exists */
export const textOr = (name, otherwise) => text(name in texts ? name : otherwise);
