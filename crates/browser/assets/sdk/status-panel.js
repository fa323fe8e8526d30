/** Content of the dialog while the window shows nothing: before it is loaded, after it failed, and after the check. */

import english from '../locales/en.json';
import { isLoopback } from '../shared/loopback.js';
import { loadTexts, selectLanguage } from './languages.js';

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */
/** @typedef {[keyof VoightLabels, () => void]} Choice label of a button, and the action of a click */

/** @type {{tag: string, texts: import('./languages.js').Texts}} */
const ENGLISH = { tag: 'en', texts: english };

/** @param {string} tag @returns {Promise<typeof ENGLISH>} English if the language cannot be loaded */
const loadLanguage = (tag) =>
  tag === ENGLISH.tag ? Promise.resolve(ENGLISH) : loadTexts(tag).then((texts) => ({ tag, texts }), () => ENGLISH);

/** @param {() => Partial<VoightLabels>} labels the page's own texts, which have priority */
export function createStatusPanel(labels) {
  const node = document.createElement('div');
  const status = document.createElement('p');
  const note = document.createElement('p');
  const buttons = document.createElement('div');
  node.className = 'panel';
  note.className = 'note';
  buttons.className = 'buttons';
  status.setAttribute('role', 'status');
  status.id = 'status';
  node.append(status, note, buttons);

  let language = ENGLISH;
  /** `true` while the language is being loaded; progress messages are not shown then. */
  let isLoadingLanguage = false;
  let redraw = () => {};

  /** @param {keyof VoightLabels} name */
  const text = (name) => labels()[name] ?? String(language.texts[name]);

  /** @param {Choice} choice */
  const createButton = ([name, onClick]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text(name);
    button.addEventListener('click', onClick);
    return button;
  };

  /** @param {'progress' | 'failure' | 'done'} kind @param {() => string} message @param {() => string} detail @param {Choice[]} choices */
  const show = (kind, message, detail, choices) => {
    const isEmpty = isLoadingLanguage && kind === 'progress';
    redraw = () => show(kind, message, detail, choices);
    node.hidden = false;
    node.dataset.kind = kind;
    status.textContent = isEmpty ? '' : message();
    note.textContent = isEmpty ? '' : detail();
    buttons.replaceChildren(...(isEmpty ? [] : choices).map(createButton));
    const first = buttons.querySelector('button');
    // A live region that appears together with its text is not announced; the description of the focused element is.
    first?.setAttribute('aria-describedby', status.id);
    first?.focus();
  };

  return {
    node,
    text,
    /** Loads the texts in the best match for the languages of the page and the browser. @param {string} locale */
    async setLanguage(locale) {
      const tag = selectLanguage([locale, ...navigator.languages]);
      isLoadingLanguage = tag !== language.tag;
      language = await loadLanguage(tag);
      isLoadingLanguage = false;
      node.lang = language.tag;
      node.dir = String(language.texts.direction);
      if (!node.hidden) redraw();
    },
    hide() {
      node.hidden = true;
    },
    /** @param {'opening' | 'confirming'} name @param {() => void} close */
    showProgress(name, close) {
      show('progress', () => text(name), () => '', [['close', close]]);
    },
    /** Shows a failure. An unreachable window may be blocked; any other failure is the page's own, and its code helps the page's developer.
     * @param {VoightError} error @param {() => void} retry @param {() => void} close */
    showFailure({ code, retryable }, retry, close) {
      const isUnreachable = code === 'window_blocked';
      const codeText = () => (!isUnreachable || isLoopback(self.origin) ? `${text('reference')} ${code}` : '');
      const detail = () => (isUnreachable ? `${text('blocked')} ${codeText()}`.trim() : codeText());
      /** @type {Choice[]} */
      const choices = [['retry', retry], ['close', close]];
      show('failure', () => text(isUnreachable ? 'failed' : 'declined'), detail, choices.slice(retryable ? 0 : 1));
    },
    /** @param {string} reason @param {() => void} close */
    showDeclined(reason, close) {
      show('failure', () => reason, () => '', [['close', close]]);
    },
    /** Shows a button that continues a completed check. @param {() => void} onContinue */
    showContinue(onContinue) {
      show('done', () => text('verified'), () => '', [['resume', onContinue]]);
    },
  };
}
