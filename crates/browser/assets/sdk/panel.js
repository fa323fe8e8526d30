/** What the dialog shows itself, where the window can't: before it is there, when it failed, and after it. */

import english from '../locales/en.json';
import { load, nearest } from './languages.js';

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */

/** @type {{tag: string, texts: import('./languages.js').Texts}} */
const DEFAULT = { tag: 'en', texts: english };

/** @param {string} tag @returns {Promise<typeof DEFAULT>} English where the language can't be loaded */
const language = (tag) =>
  tag === DEFAULT.tag ? Promise.resolve(DEFAULT) : load(tag).then((texts) => ({ tag, texts }), () => DEFAULT);

/** @param {() => Partial<VoightLabels>} labels the page's own words, which come first */
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
  /** While it is not known in which language, nothing is said that can wait. */
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
    // A live region that appears together with its text is not announced; the description of what gets the focus is.
    first?.setAttribute('aria-describedby', status.id);
    first?.focus();
  };

  return {
    node,
    text,
    /** Takes the texts of the language that is nearest to what the page and the browser ask for. @param {string} locale */
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
    /** What can't be reached may be blocked; anything else is the page's own, and its code helps whoever made the page.
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
