/** Views of the window. One live region announces them; the focus moves to the next step. */

import { dress } from '../shared/palette.js';
import { has, text } from './strings.js';

/** @typedef {import('./failure.js').Failure} Failure */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Typical duration of a check from its opening to its first target. */
const USUAL_SECONDS = 3;
/** Time after which a step in progress is announced again. */
const SLOW_MS = 5000;
/** Views of errors, on which hints about presses are not shown. */
const ERRORS = ['failed', 'declined'];

/** Timer of the current view. */
let timer = 0;

/** Applies the page's appearance. @param {{theme?: string, colours?: import('../shared/palette.js').Colours}} told */
export function wear({ theme, colours }) {
  if (theme) document.documentElement.dataset.theme = theme;
  dress(document.documentElement, colours);
}

/** Fills in the permanent parts. @param {import('./port.js').Host} host @param {boolean} test `true` for a check of the sandbox */
export function start(host, test) {
  wear(host.init);
  document.title = part('title').textContent = text('title');
  part('foot').textContent = text('footer');
  part('test').hidden = !test;
  part('test').textContent = text('test');
  const close = () => host.send({ t: 'close' });
  part('close').setAttribute('aria-label', text('close'));
  part('close').addEventListener('click', close);
  addEventListener('keydown', (event) => event.key === 'Escape' && close());
  const card = part('card');
  const resize = () => host.send({ t: 'resize', height: Math.ceil(card.getBoundingClientRect().height) });
  whenSized(card, resize);
}

/** Calls `act` now and whenever an element's size changes; only now if the browser does not report sizes.
 * @param {Element} element @param {() => void} act @returns {() => void} stops observing */
function whenSized(element, act) {
  act();
  if (!globalThis.ResizeObserver) return () => {};
  const watcher = new ResizeObserver(act);
  watcher.observe(element);
  return () => watcher.disconnect();
}

/** @param {string} name */
function enter(name) {
  clearInterval(timer);
  part('status').setAttribute('aria-live', 'polite');
  document.body.dataset.view = name;
  // The focus must not be lost together with the pressed target.
  part('title').focus({ preventScroll: true });
  part('press')?.remove();
  const words = ['failed', 'declined', 'sign'].includes(name);
  part('field').hidden = words;
  part('foot').hidden = ERRORS.includes(name);
  part('outcome').hidden = !words;
  part('code').textContent = '';
}

/** @param {string} message */
function say(message) {
  part('status').textContent = message;
}

/** Announces a step, and again if it takes long. @param {string} message */
function announce(message) {
  say(message);
  timer = setTimeout(say, SLOW_MS, text('slow'));
}

export function showChecking() {
  enter('checking');
  announce(text('checking', { count: USUAL_SECONDS }));
}

/** @param {'confirming' | 'verified'} name */
export function showProgress(name) {
  enter(name);
  if (name === 'confirming') announce(text(name));
  else say(text(name));
}

/**
 * Shows a target and waits for its press, by any kind of click.
 *
 * @param {'first' | 'second'} role
 * @param {number} x fraction of the way from left to right
 * @param {number} y fraction of the way from top to bottom
 * @param {AbortSignal} signal aborts the wait
 * @param {(elements: [string, Element][]) => void} shown called with the visible elements by role
 * @returns {Promise<PointerEvent>}
 */
export function showTarget(role, x, y, signal, shown) {
  enter(role);
  const stage = part('stage');
  const button = document.createElement('button');
  button.id = 'press';
  button.type = 'button';
  button.dataset.role = role;
  button.textContent = text(role + 'Button');
  stage.append(button);
  const place = () => {
    button.style.left = `${x * (stage.clientWidth - button.offsetWidth)}px`;
    button.style.top = `${y * (stage.clientHeight - button.offsetHeight)}px`;
    shown([['stage', stage], [role, button]]);
  };
  say(text(role));
  const rest = whenSized(stage, place);
  button.focus({ preventScroll: true });
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
    button.addEventListener('click', (event) => {
      rest();
      resolve(/** @type {PointerEvent} */ (event));
    });
  });
}

/** @param {string} name @param {() => void} act */
function choice(name, act) {
  const button = document.createElement('button');
  button.type = 'button';
  button.name = name;
  button.textContent = text(name);
  button.addEventListener('click', act);
  return button;
}

/**
 * Shows the code that the wallet's request must contain, and waits for the visitor's choice.
 *
 * @param {string} message @param {string} code @param {string[]} names names of the buttons
 * @param {AbortSignal} signal aborts the wait
 * @returns {Promise<string | null>} the name of a button, null after an abort
 */
export function showSign(message, code, names, signal) {
  enter('sign');
  say(text(message));
  part('code').textContent = code;
  part('reference').textContent = '';
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null));
    part('choices').replaceChildren(...names.map((name) => choice(name, () => resolve(name))));
    part('choices').querySelector('button')?.focus();
  });
}

/** @param {{code: string, wait: number}} failure @returns {string} explanation for the visitor */
function explain({ code, wait }) {
  if (wait > 0 && has(code + '_for')) return text(code + '_for', { count: wait });
  return text(has(code) ? code : 'failed');
}

/** @param {Failure} failure @param {() => void} retry @param {() => void} close */
export function showFailed(failure, retry, close) {
  enter('failed');
  say(explain(failure));
  part('reference').textContent = failure.reference && `${text('reference')} ${failure.reference}`;
  const again = choice('retry', retry);
  part('choices').replaceChildren(...(failure.retryable ? [again] : []), choice('close', close));
  if (failure.retryable && failure.wait > 0 && has(failure.code + '_for')) countDown(failure, again);
  /** @type {HTMLElement | null} */ (part('choices').querySelector('button:enabled'))?.focus();
}

/** Shows the seconds until the next attempt, which is disabled before. Only the start and the end are announced.
 * @param {Failure} failure @param {HTMLButtonElement} again */
function countDown(failure, again) {
  const end = performance.now() + failure.wait * 1000;
  again.disabled = true;
  timer = setInterval(() => {
    const left = Math.ceil((end - performance.now()) / 1000);
    part('status').setAttribute('aria-live', left > 0 ? 'off' : 'polite');
    if (left > 0) return say(explain({ code: failure.code, wait: left }));
    clearInterval(timer);
    again.disabled = false;
    say(text('retry_now'));
  }, 1000);
}

/** @param {string | undefined} message text of the platform */
export function showDeclined(message) {
  enter('declined');
  say(message || text('declined'));
  part('reference').textContent = '';
  part('choices').replaceChildren();
}
