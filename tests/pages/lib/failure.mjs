// What a visitor and a page see of a failure.
import assert from 'node:assert/strict';
import { told, untilState, windowAt } from './quest.mjs';

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

/** Waits for the one error that the page is told, and returns its reference.
 * @param {import('puppeteer-core').Page} tab @param {string} code @param {boolean} retryable @returns {Promise<string>} */
export async function failed(tab, code, retryable) {
  await untilState(tab, 'failed');
  const errors = (await told(tab, 'error')).map((one) => one.detail);
  assert.deepEqual(errors.map(({ code, retryable }) => [code, retryable]), [[code, retryable]]);
  await tab.evaluate(() => (window.events = window.events.filter((one) => one.name !== 'error')));
  return errors[0].reference;
}

/** Waits until the child's own click has run. On a slow machine a check takes so long that it ends with a click on Continue.
 * @param {import('puppeteer-core').Page} tab */
export async function claimed(tab) {
  const ended = () => {
    const [late] = [...document.querySelectorAll('voight-check')].flatMap((check) => [...check.shadowRoot.querySelectorAll('[data-mood="done"] button')]);
    late?.click();
    return window.events.some((one) => one.name === 'claimed');
  };
  await tab.waitForFunction(ended, { timeout: 20000, polling: 50 });
}
