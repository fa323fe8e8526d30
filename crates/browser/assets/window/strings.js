/** The window's texts, in the document's language. */

/** A text is one for all numbers, or one for each plural category of the language.
 * @type {Record<string, string | Record<string, string>>} */
let texts = {};
let plural = new Intl.PluralRules('en');
let number = new Intl.NumberFormat('en');

/** @param {string} locale the document's language, which the service chose among those it has */
export async function load(locale) {
  texts = (await import(`/window/v1/locales/${locale}.js`)).default;
  plural = new Intl.PluralRules(locale);
  number = new Intl.NumberFormat(locale);
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
