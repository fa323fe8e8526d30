/** The window's texts, in the document's language. */

import english from '../locales/en.json';

const ENGLISH = 'en';

/** A text is one for all numbers, or one for each plural category of the language.
 * @type {Record<string, string | Record<string, string>>} */
let texts = english;
let plural = new Intl.PluralRules('en');
let number = new Intl.NumberFormat('en');

/** Loads the texts of a language; English stays where they cannot be loaded.
 * @param {string} locale the document's language, which the service chose among those it has */
export async function load(locale) {
  const found = locale === ENGLISH ? english : await import(`/window/v1/locales/${locale}.js`).then((module) => module.default, () => null);
  const spoken = found ? locale : ENGLISH;
  texts = found ?? english;
  plural = new Intl.PluralRules(spoken);
  number = new Intl.NumberFormat(spoken);
  document.documentElement.lang = spoken;
  document.documentElement.dir = text('direction');
}

/** @param {string} name @param {Record<string, number>} [values] what stands in the places; `count` chooses the form */
export function text(name, values = {}) {
  const found = texts[name] ?? name;
  const form = typeof found === 'string' ? found : (found[plural.select(values.count)] ?? found.other);
  return form.replace(/\{(\w+)\}/g, (_, key) => number.format(values[key]));
}

/** @param {string} name */
export const has = (name) => name in texts;
