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
export async function load(locale) {
  const found = locale === ENGLISH ? english : await import(`/window/v1/locales/${locale}.js`).then((module) => module.default, () => null);
  const spoken = found ? locale : ENGLISH;
  texts = found ?? english;
  plural = new Intl.PluralRules(spoken);
  number = new Intl.NumberFormat(spoken);
  document.documentElement.lang = spoken;
  document.documentElement.dir = text('direction');
}

/** @param {string} name @param {Record<string, number>} [values] values of the placeholders; `count` selects the plural form */
export function text(name, values = {}) {
  const found = texts[name] ?? name;
  const form = typeof found === 'string' ? found : (found[plural.select(values.count)] ?? found.other);
  return form.replace(/\{(\w+)\}/g, (_, key) => number.format(values[key]));
}

/** @param {string} name */
export const has = (name) => name in texts;
