/** Texts of the window in the language of the document. */

import english from '../locales/en.json';

const ENGLISH = 'en';

/** Texts by name: a string, or a string for each plural category of the language.
 * @type {Record<string, string | Record<string, string>>} */
let texts = english;
let plural = new Intl.PluralRules('en');
let number = new Intl.NumberFormat('en');

/** Loads the texts of a language; falls back to English if they cannot be loaded.
 * @param {string} locale language of the document, chosen by the service among its languages */
export async function loadTexts(locale) {
  const loaded = locale === ENGLISH ? english : await import(`/window/v1/locales/${locale}.js`).then((module) => module.default, () => null);
  const language = loaded ? locale : ENGLISH;
  texts = loaded ?? english;
  plural = new Intl.PluralRules(language);
  number = new Intl.NumberFormat(language);
  document.documentElement.lang = language;
  document.documentElement.dir = text('direction');
}

/** Returns a text. @param {string} name @param {Record<string, number>} [values] values of the placeholders; `count` selects the plural form */
export function text(name, values = {}) {
  const entry = texts[name] ?? name;
  const form = typeof entry === 'string' ? entry : (entry[plural.select(values.count)] ?? entry.other);
  return form.replace(/\{(\w+)\}/g, (_, key) => number.format(values[key]));
}

/** Returns `true` if there is a text of this name. @param {string} name */
export const has = (name) => name in texts;
