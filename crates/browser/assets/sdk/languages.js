/** Which of the languages that there are texts in a visitor reads. The service decides the same for the window. */

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'id', 'ja', 'ko', 'pt-BR', 'ru', 'tr', 'vi', 'zh-CN'];
/** Chinese in other characters than those of our texts. */
const UNREAD = /^zh-(.*-)?(hant|tw|hk|mo)\b/i;

/** @param {string} tag */
const primary = (tag) => tag.split('-')[0].toLowerCase();

/** @param {readonly string[]} asked language tags, the most wanted first */
export function nearest(asked) {
  for (const tag of asked) {
    const found = LANGUAGES.find((each) => primary(each) === primary(tag));
    if (found && !UNREAD.test(tag)) return found;
  }
  return 'en';
}
