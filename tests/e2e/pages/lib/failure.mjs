// Failures, as a visitor and a page see them.
import assert from 'node:assert/strict';
import { eventsOf, untilState, windowAt } from './quest.mjs';

/** @typedef {import('./quest.mjs').Where} Where */

/** Clicks a button of the dialog's own panel. @param {import('puppeteer-core').Page} tab @param {string} label */
export async function choose(tab, label) {
  const find = (label) => {
    const buttons = document.querySelector('voight-check').shadowRoot.querySelectorAll('.panel button');
    return [...buttons].find((button) => button.textContent === label && button.checkVisibility());
  };
  const button = await tab.waitForFunction(find, { polling: 20, timeout: 20000 }, label);
  await button.click();
}

/** Clicks a button in the window. @param {import('puppeteer-core').Page} tab @param {string} view @param {string} name */
export async function press(tab, view, name) {
  await (await (await windowAt(tab, view)).waitForSelector(`button[name="${name}"]`)).click();
}

/** Waits for the one error that the page receives, and returns its reference.
 * @param {Where} where @param {string} code @param {boolean} retryable @returns {Promise<string>} */
export async function failed(where, code, retryable) {
  await untilState(where, 'failed');
  const errors = (await eventsOf(where, 'error')).map((one) => one.detail);
  assert.deepEqual(errors.map(({ code, retryable }) => [code, retryable]), [[code, retryable]]);
  await where.evaluate(() => (window.events = window.events.filter((one) => one.name !== 'error')));
  return errors[0].reference;
}

/** Waits until the button's own click has run. On a slow machine a check takes so long that it ends with a click on Continue.
 * @param {Where} where */
export async function claimed(where) {
  const ended = () => {
    const checks = window.claim ? [window.claim.closest('voight-check')] : [...document.querySelectorAll('voight-check')];
    for (const { shadowRoot } of checks) shadowRoot?.querySelector('.panel[data-kind="done"]:not([hidden]) button')?.click();
    return window.events.some((one) => one.name === 'claimed');
  };
  await where.waitForFunction(ended, { timeout: 20000, polling: 50 });
}
