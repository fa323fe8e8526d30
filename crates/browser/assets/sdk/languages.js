/** Selects the language of the texts for a visitor. The service uses the same rules for the window. */

/** Texts by name; a text with a number has a form for each plural category. @typedef {Record<string, string | Record<string, string>>} Texts */

/** @type {Record<string, () => Promise<{default: Texts}>>} */
const MODULES = {
  ar: () => import('../locales/ar.json'),
  de: () => import('../locales/de.json'),
  en: () => import('../locales/en.json'),
  es: () => import('../locales/es.json'),
  fr: () => import('../locales/fr.json'),
  id: () => import('../locales/id.json'),
  ja: () => import('../locales/ja.json'),
  ko: () => import('../locales/ko.json'),
  'pt-BR': () => import('../locales/pt-BR.json'),
  ru: () => import('../locales/ru.json'),
  tr: () => import('../locales/tr.json'),
  vi: () => import('../locales/vi.json'),
  'zh-CN': () => import('../locales/zh-CN.json'),
};
const LANGUAGES = Object.keys(MODULES);
/** Tags of Chinese in traditional characters, for which no texts exist. */
const TRADITIONAL_CHINESE = /^zh-(.*-)?(hant|tw|hk|mo)\b/i;

/** @param {string} tag */
const primary = (tag) => tag.split('-')[0].toLowerCase();

/** @param {readonly string[]} tags language tags, in order of preference @returns {string} language of the texts, English by default */
export function selectLanguage(tags) {
  for (const tag of tags) {
    const language = LANGUAGES.find((each) => primary(each) === primary(tag));
    if (language && !TRADITIONAL_CHINESE.test(tag)) return language;
  }
  return 'en';
}

/** Loads the texts of a language. @param {string} language a result of `selectLanguage` @returns {Promise<Texts>} */
export const loadTexts = (language) => MODULES[language]().then((module) => module.default);
