// Checks in pages of every kind, with their common assertions.
import assert from 'node:assert/strict';
import { bundle } from './bundle.mjs';
import { claimed, failed } from './failure.mjs';
import { ADDRESS, claim, complete, page, press, eventsOf, untilState, windowAt } from './quest.mjs';

/** @typedef {import('./quest.mjs').Where} Where */

/** Returns a page of React from `apps`. Its root element passes the service and the visitor to it.
 * @param {any} stage @param {string} entry @param {Record<string, string>} [alias] */
export async function app(stage, entry, alias) {
  const { service, account, site } = stage;
  site.put('/app.js', await bundle(entry, service.url, alias));
  const root = `<div id="root" data-service="${service.url}" data-context="${account.context}" data-address="${ADDRESS}"></div>`;
  return page(stage, `${root}<script type="module" src="/app.js"></script>`);
}

/** Waits until the page received this event. @param {Where} where @param {string} name */
export async function untilEvent(where, name, count = 1) {
  const is = (name, count) => window.events.filter((one) => one.name === name).length >= count;
  await where.waitForFunction(is, { timeout: 15000, polling: 20 }, name, count).catch(async () => {
    throw new Error(`the page received no ${name}, only ${JSON.stringify(await eventsOf(where))}`);
  });
}

/** Asserts the final state: the button's own click ran once, it has the focus, and no policy was violated. @param {Where} where */
export async function claimedOnce(where) {
  await untilEvent(where, 'verified');
  await claimed(where);
  assert.equal((await eventsOf(where, 'claimed')).length, 1, 'the click runs once');
  assert.equal((await eventsOf(where, 'verified')).length, 1, 'one receipt');
  assert.deepEqual(await eventsOf(where, 'violation'), []);
  assert.ok(await focused(where), 'the focus is back on the button');
}

/** Returns true if the wrapped button has the focus. @param {Where} where */
const focused = (where) =>
  where.evaluate(() => {
    const button = window.claim ?? document.querySelector('#claim');
    return button.getRootNode().activeElement === button;
  });

/** Completes a check by pointer. @param {any} stage @param {Where} [where] the page with the button, unless it is the tab itself */
export async function passes({ tab }, where = tab) {
  await complete(tab, where);
  await claimedOnce(where);
}

/** Asserts that the host restores its button. @param {Where} where */
async function worksDisabled(where) {
  await where.$eval('voight-check', (element) => {
    element.close();
    element.disabled = true;
  });
  await (await claim(where)).click();
  await untilEvent(where, 'claimed');
}

/** Asserts that the check ends in this error, and the button works without one.
 * @param {Where} where @param {string} code @param {boolean} retryable @param {() => Promise<void>} [act] what the visitor does after the click
 * @returns {Promise<string>} its reference */
export async function refused(where, code, retryable, act = async () => {}) {
  await (await claim(where)).click();
  await act();
  const reference = await failed(where, code, retryable);
  await worksDisabled(where);
  return reference;
}

/** Returns the topmost element in the middle of the window. */
const onTop = () => {
  const { left, top, width, height } = document.querySelector('voight-check').shadowRoot.querySelector('iframe').getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2)?.localName;
};

/** Tests a modal dialog of the host, `#host`, with a second control `#other`: once by keyboard and Escape, once by pointer and a click beside
 * the window. @param {any} stage */
export async function passesInDialog({ tab }) {
  const open = () => tab.evaluate(() => Boolean(document.querySelector('#host')?.checkVisibility()));
  await byKeyboard(tab);
  assert.ok(await open(), 'Escape in the window closes the window only');
  await byPointer(tab);
  assert.ok(await open(), 'a click beside the window closes nothing');
}

/** Presses by Enter, and cancels by Escape while the page is asked to confirm. @param {import('puppeteer-core').Page} tab */
async function byKeyboard(tab) {
  await tab.evaluate(() => void (window.hold = new Promise(() => {})));
  await (await claim(tab)).focus();
  await tab.keyboard.press('Enter');
  const window = await windowAt(tab, 'first');
  await cycles(tab, window);
  await tab.keyboard.press('Enter');
  await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('.panel')?.hidden === false);
  await tab.keyboard.press('Escape');
  await untilState(tab, 'idle');
  assert.ok(await focused(tab), 'the focus is back on the button');
  await tab.evaluate(() => void (window.hold = undefined));
}

/** Cycles by Tab, also through the browser's own controls, back to the target. The host's own controls must not be reachable. @param {import('puppeteer-core').Page} tab @param {import('puppeteer-core').Frame} window */
async function cycles(tab, window) {
  const inFrame = () => window.evaluate(() => document.hasFocus());
  const there = () => window.evaluate(() => document.hasFocus() && document.activeElement?.id === 'press');
  const step = async () => {
    await tab.keyboard.press('Tab');
    assert.notEqual(await tab.evaluate(() => document.activeElement?.id), 'other', 'the host behind the window has the focus');
  };
  for (let steps = 0; steps < 4 || (steps < 20 && !(await inFrame())); steps += 1) await step();
  await tab.keyboard.down('Shift');
  for (let steps = 0; steps < 4 && !(await there()); steps += 1) await step();
  await tab.keyboard.up('Shift');
  assert.ok(await there(), 'the target is reached by keyboard');
}

/** @param {import('puppeteer-core').Page} tab */
async function byPointer(tab) {
  await (await claim(tab)).click();
  await windowAt(tab, 'first');
  assert.equal(await tab.evaluate(onTop), 'voight-check', 'the window is above everything');
  await tab.mouse.click(4, 4);
  await tab.mouse.click(1270, 790);
  await press(tab);
  await claimedOnce(tab);
}
