/** Views of the window. One live region announces them; the focus moves to the next step. */

import { isLoopback } from '../shared/loopback.js';
import { applyColours } from '../shared/palette.js';
import { has, text } from './strings.js';

/** @typedef {import('./failure.js').Failure} Failure */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Typical duration of a check from its opening to its first target. */
const TYPICAL_SECONDS = 3;
/** Time after which a step in progress is announced again. */
const SLOW_MS = 5000;
/** Views of errors, on which hints about presses are not shown. */
const ERRORS = ['failed', 'declined'];

/** Timer of the current view. */
let timer = 0;

/** Applies the page's theme and colours. @param {{theme?: string, colours?: import('../shared/palette.js').Colours}} settings */
export function applyTheme({ theme, colours }) {
  if (theme) document.documentElement.dataset.theme = theme;
  applyColours(document.documentElement, colours);
}

/** Fills in the permanent parts. @param {import('./port.js').Host} host @param {boolean} test `true` for a check of the sandbox */
export function init(host, test) {
  applyTheme(host.init);
  document.title = part('title').textContent = text('title');
  part('hint').textContent = text('footer');
  part('test').hidden = !test;
  part('test').textContent = text('test');
  const close = () => host.send({ t: 'close' });
  part('close').setAttribute('aria-label', text('close'));
  part('close').addEventListener('click', close);
  addEventListener('keydown', (event) => event.key === 'Escape' && close());
  const card = part('card');
  const resize = () => host.send({ t: 'resize', height: Math.ceil(card.getBoundingClientRect().height) });
  observeSize(card, resize);
  // A browser may restore a page from its back/forward cache without the focus of its frames.
  addEventListener('pageshow', (event) => event.persisted && focusNextStep());
}

/** Focuses the control of the current view, or the title if it has none. */
function focusNextStep() {
  const control = document.querySelector('#press, #outcome:not([hidden]) button:enabled') ?? part('title');
  /** @type {HTMLElement} */ (control).focus();
}

/** Calls `callback` now and whenever an element's size changes; only now if the browser does not report sizes.
 * @param {Element} element @param {() => void} callback @returns {() => void} stops observing */
function observeSize(element, callback) {
  callback();
  if (!globalThis.ResizeObserver) return () => {};
  const observer = new ResizeObserver(callback);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Changes the view. @param {string} name */
function enterView(name) {
  clearInterval(timer);
  part('status').setAttribute('aria-live', 'polite');
  document.body.dataset.view = name;
  // The focus must not be lost together with the pressed target.
  part('title').focus({ preventScroll: true });
  part('press')?.remove();
  const hasText = ['failed', 'declined', 'sign'].includes(name);
  part('field').hidden = hasText;
  part('hint').hidden = ERRORS.includes(name);
  part('outcome').hidden = !hasText;
  part('code').textContent = '';
}

/** Announces a message once. @param {string} message */
function setStatus(message) {
  part('status').textContent = message;
}

/** Announces a step, and again if it takes long. @param {string} message */
function announce(message) {
  setStatus(message);
  timer = setTimeout(setStatus, SLOW_MS, text('slow'));
}

export function showChecking() {
  enterView('checking');
  announce(text('checking', { count: TYPICAL_SECONDS }));
}

/** @param {'confirming' | 'verified'} name */
export function showProgress(name) {
  enterView(name);
  if (name === 'confirming') announce(text(name));
  else setStatus(text(name));
}

/**
 * Shows a target and waits for its press, by any kind of click.
 *
 * @param {'first' | 'second'} role
 * @param {number} x fraction of the way from left to right
 * @param {number} y fraction of the way from top to bottom
 * @param {AbortSignal} signal aborts the wait
 * @param {(elements: [string, Element][]) => void} onShown called with the visible elements by role
 * @returns {Promise<PointerEvent>}
 */
export function showTarget(role, x, y, signal, onShown) {
  enterView(role);
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
    onShown([['stage', stage], [role, button]]);
  };
  setStatus(text(role));
  const stopObserving = observeSize(stage, place);
  button.focus({ preventScroll: true });
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
    button.addEventListener('click', (event) => {
      stopObserving();
      resolve(/** @type {PointerEvent} */ (event));
    });
  });
}

/** Creates a button. @param {string} name @param {() => void} onClick */
function createButton(name, onClick) {
  const button = document.createElement('button');
  button.type = 'button';
  button.name = name;
  button.textContent = text(name);
  button.addEventListener('click', onClick);
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
  enterView('sign');
  setStatus(text(message));
  part('code').textContent = code;
  part('reference').textContent = '';
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null));
    part('choices').replaceChildren(...names.map((name) => createButton(name, () => resolve(name))));
    focusNextStep();
  });
}

/** @param {{code: string, wait: number}} failure @returns {string} message for the visitor */
function failureMessage({ code, wait }) {
  if (wait > 0 && has(code + '_for')) return text(code + '_for', { count: wait });
  return text(has(code) ? code : 'failed');
}

/** Returns the reference of a failure, and its code on a page of a developer. @param {Failure} failure */
function referenceText({ code, reference }) {
  const isOfDeveloper = isLoopback(document.documentElement.dataset.origin ?? '');
  return [reference && `${text('reference')} ${reference}`, isOfDeveloper && code].filter(Boolean).join(' · ');
}

/** @param {Failure} failure @param {() => void} retry @param {() => void} close */
export function showFailed(failure, retry, close) {
  enterView('failed');
  setStatus(failureMessage(failure));
  part('reference').textContent = referenceText(failure);
  const retryButton = createButton('retry', retry);
  part('choices').replaceChildren(...(failure.retryable ? [retryButton] : []), createButton('close', close));
  if (failure.retryable && failure.wait > 0 && has(failure.code + '_for')) countDown(failure, retryButton);
  focusNextStep();
}

/** Shows the seconds until the next attempt, which is disabled before. Only the start and the end are announced.
 * @param {Failure} failure @param {HTMLButtonElement} retryButton */
function countDown(failure, retryButton) {
  const end = performance.now() + failure.wait * 1000;
  retryButton.disabled = true;
  timer = setInterval(() => {
    const left = Math.ceil((end - performance.now()) / 1000);
    part('status').setAttribute('aria-live', left > 0 ? 'off' : 'polite');
    if (left > 0) return setStatus(failureMessage({ code: failure.code, wait: left }));
    clearInterval(timer);
    retryButton.disabled = false;
    setStatus(text('retry_now'));
  }, 1000);
}

/** @param {string | undefined} message text of the platform */
export function showDeclined(message) {
  enterView('declined');
  setStatus(message || text('declined'));
  part('reference').textContent = '';
  part('choices').replaceChildren();
}
