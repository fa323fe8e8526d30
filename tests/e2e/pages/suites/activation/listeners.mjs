// Listeners for every event of a press, on the button, between it and the element, and on the element, in both phases.
import assert from 'node:assert/strict';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';
import { LISTENERS, meansOf } from '../../lib/press.mjs';
import { element, untilState, visit } from '../../lib/quest.mjs';

/** Elements that are pressed. A browser clicks some of them for a key, and others not. */
const PRESSED = {
  button: '<button id="claim" type="button">Claim</button>',
  withoutKeys: '<div id="claim" role="button" tabindex="0">Claim</div>',
};

/** Waits until no listener was called for a moment, and returns the calls since the last time. @param {import('puppeteer-core').Page} tab */
async function heardIn(tab) {
  for (let count = -1; ; ) {
    const now = await tab.evaluate(() => window.heard.length);
    if (now === count) return tab.evaluate(() => window.heard.splice(0));
    count = now;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** Opens a page with such a child, and presses it. @param {any} stage @param {string} child @param {(tab: any) => Promise<void>} press */
async function pressed(stage, child, press) {
  const inside = `<span id="inside">${child}</span>`;
  await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, inside) + LISTENERS);
  await press(stage.tab);
  await connectedFake(stage.tab);
}

/** Completes the check, and returns the calls of its replay. @param {import('puppeteer-core').Page} tab */
async function replayedIn(tab) {
  await sendFromFake(tab, { t: 'done', receipt: receipt() });
  await untilState(tab, 'verified');
  await tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
  return heardIn(tab);
}

/** @param {string} child */
const isHeld = (child) => async (stage) => {
  const { tab, browserName } = stage;
  for (const [name, press] of meansOf(browserName)) {
    await pressed(stage, child, press);
    assert.deepEqual(await heardIn(tab), [], `${name}: a listener ran before the check`);
    const replayedEvents = await replayedIn(tab);
    await press(tab);
    assert.deepEqual(replayedEvents, await heardIn(tab), `${name}: the events after the check are those of the browser`);
    assert.ok(replayedEvents.length > 0, name);
  }
};

export const listeners = {
  'every event of a press is held and replayed: button': isHeld(PRESSED.button),

  async 'a cancelled check replays nothing'(stage) {
    const { tab, browserName } = stage;
    for (const [name, press] of meansOf(browserName)) {
      await pressed(stage, PRESSED.button, press);
      await sendFromFake(tab, { t: 'close' });
      await untilState(tab, 'idle');
      assert.deepEqual(await heardIn(tab), [], name);
    }
  },

  async 'an event that a handler prevents stops what follows it'(stage) {
    const { tab } = stage;
    await pressed(stage, PRESSED.button, async (tab) => {
      await tab.evaluate(() => document.getElementById('claim').addEventListener('keydown', (event) => event.preventDefault()));
      await tab.focus('#claim');
      await tab.keyboard.press('Enter');
    });
    const types = new Set((await replayedIn(tab)).map((call) => call.split(' ')[0]));
    assert.deepEqual([...types], ['keydown', 'keyup'], 'as in the browser, no click follows');
  },

  async 'other keys and the fields of a form are not held'(stage) {
    const { tab } = stage;
    const child = '<input id="claim"><textarea id="text"></textarea>';
    await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, `<span id="inside">${child}</span>`) + LISTENERS);
    await (await tab.$('#claim')).click();
    await tab.keyboard.type('a b');
    await tab.keyboard.press('Tab');
    await tab.keyboard.type('c');
    await tab.keyboard.press('Enter');
    assert.ok((await heardIn(tab)).includes('keydown #claim bubble'));
    assert.deepEqual(await tab.evaluate(() => [claim.value, text.value, document.querySelector('voight-check').state]), ['a b', 'c\n', 'idle']);
  },

  async 'releasing a key that was pressed elsewhere starts and runs nothing'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, `<span id="inside">${PRESSED.button}</span>`) + LISTENERS);
    await tab.keyboard.down('Enter');
    await tab.focus('#claim');
    await tab.keyboard.up('Enter');
    assert.deepEqual(await heardIn(tab), []);
    assert.equal(await tab.$eval('voight-check', (check) => check.state), 'idle');
  },
};

export const moreListeners = {
  'every event of a press is held and replayed: element without a click by keys': isHeld(PRESSED.withoutKeys),
};
