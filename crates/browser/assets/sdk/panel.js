/** What the dialog shows itself, where the window can't: before it is there, when it failed, and after it. */

/** @typedef {import('../../types/voight.js').VoightError} VoightError */
/** @typedef {import('../../types/voight.js').VoightLabels} VoightLabels */

/** @type {VoightLabels} */
const ENGLISH = {
  title: 'Quick human check',
  opening: 'Opening the check…',
  confirming: 'Finishing…',
  verified: 'All set.',
  declined: 'We could not complete this check for this page.',
  failed: 'We could not reach the check.',
  blocked: 'A content blocker or the network may be in the way.',
  reference: 'Reference',
  retry: 'Try again',
  resume: 'Continue',
  close: 'Close',
};

/** @param {() => Partial<VoightLabels>} labels */
export function panel(labels) {
  const node = document.createElement('div');
  const status = document.createElement('p');
  const note = document.createElement('p');
  const buttons = document.createElement('div');
  node.className = 'panel';
  note.className = 'note';
  buttons.className = 'buttons';
  status.setAttribute('role', 'status');
  node.append(status, note, buttons);

  /** @param {keyof VoightLabels} name */
  const text = (name) => labels()[name] ?? ENGLISH[name];

  /** @param {string} mood @param {string} message @param {string} detail @param {[keyof VoightLabels, () => void][]} choices */
  const show = (mood, message, detail, choices) => {
    node.hidden = false;
    node.dataset.mood = mood;
    status.textContent = message;
    note.textContent = detail;
    buttons.replaceChildren(
      ...choices.map(([name, act]) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = text(name);
        button.addEventListener('click', act);
        return button;
      }),
    );
    buttons.querySelector('button')?.focus();
  };

  return {
    node,
    text,
    hide() {
      node.hidden = true;
    },
    /** @param {'opening' | 'confirming'} name @param {() => void} close */
    wait(name, close) {
      show('wait', text(name), '', [['close', close]]);
    },
    /** What can't be reached may be blocked; anything else is the page's own, and its code helps whoever made the page.
     * @param {VoightError} error @param {() => void} retry @param {() => void} close */
    fail({ code, retryable }, retry, close) {
      const unreachable = code === 'window_blocked';
      const detail = unreachable ? text('blocked') : `${text('reference')} ${code}`;
      /** @type {[keyof VoightLabels, () => void][]} */
      const choices = [['retry', retry], ['close', close]];
      show('fail', text(unreachable ? 'failed' : 'declined'), detail, choices.slice(retryable ? 0 : 1));
    },
    /** @param {string} reason @param {() => void} close */
    decline(reason, close) {
      show('fail', reason, '', [['close', close]]);
    },
    /** @param {() => void} proceed */
    resume(proceed) {
      show('done', text('verified'), '', [['resume', proceed]]);
    },
  };
}
