/** Content of the dialog while the window cannot show any: before it is loaded, after it failed, and after the check. */

import english from '../locales/en.json';
import { load, nearest } from './languages.js';

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */

/** @type {{tag: string, texts: import('./languages.js').Texts}} */
const DEFAULT = { tag: 'en', texts: english };

/** @param {string} tag @returns {Promise<typeof DEFAULT>} English if the language cannot be loaded */
const language = (tag) =>
  tag === DEFAULT.tag ? Promise.resolve(DEFAULT) : load(tag).then((texts) => ({ tag, texts }), () => DEFAULT);

/** @param {() => Partial<VoightLabels>} labels the page's own texts, which have priority */
export function panel(labels) {
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

  let spoken = DEFAULT;
  /** `true` while the language is being loaded; progress messages are not shown then. */
  let undecided = false;
  let draw = () => {};

  /** @param {keyof VoightLabels} name */
  const text = (name) => labels()[name] ?? String(spoken.texts[name]);

  /** @param {keyof VoightLabels} name @param {() => void} act */
  const button = (name, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text(name);
    made.addEventListener('click', act);
    return made;
  };

  /** @param {string} mood @param {() => string} message @param {() => string} detail @param {[keyof VoightLabels, () => void][]} choices */
  const show = (mood, message, detail, choices) => {
    const silent = undecided && mood === 'wait';
    draw = () => show(mood, message, detail, choices);
    node.hidden = false;
    node.dataset.mood = mood;
    status.textContent = silent ? '' : message();
    note.textContent = silent ? '' : detail();
    buttons.replaceChildren(...(silent ? [] : choices).map(([name, act]) => button(name, act)));
    const first = buttons.querySelector('button');
    // A live region that appears together with its text is not announced; the description of the focused element is.
    first?.setAttribute('aria-describedby', status.id);
    first?.focus();
  };

  return {
    node,
    text,
    /** Loads the texts in the best match for the languages of the page and the browser. @param {string} locale */
    async speak(locale) {
      const tag = nearest([locale, ...navigator.languages]);
      undecided = tag !== spoken.tag;
      spoken = await language(tag);
      undecided = false;
      node.lang = spoken.tag;
      node.dir = String(spoken.texts.direction);
      if (!node.hidden) draw();
    },
    hide() {
      node.hidden = true;
    },
    /** @param {'opening' | 'confirming'} name @param {() => void} close */
    wait(name, close) {
      show('wait', () => text(name), () => '', [['close', close]]);
    },
    /** Shows a failure. An unreachable window may be blocked; any other failure is the page's own, and its code helps the page's developer.
     * @param {VoightError} error @param {() => void} retry @param {() => void} close */
    fail({ code, retryable }, retry, close) {
      const unreachable = code === 'window_blocked';
      const detail = () => (unreachable ? text('blocked') : `${text('reference')} ${code}`);
      /** @type {[keyof VoightLabels, () => void][]} */
      const choices = [['retry', retry], ['close', close]];
      show('fail', () => text(unreachable ? 'failed' : 'declined'), detail, choices.slice(retryable ? 0 : 1));
    },
    /** @param {string} reason @param {() => void} close */
    decline(reason, close) {
      show('fail', () => reason, () => '', [['close', close]]);
    },
    /** @param {() => void} proceed */
    resume(proceed) {
      show('done', () => text('verified'), () => '', [['resume', proceed]]);
    },
  };
}
