// Repeated clicks, keys, and the focus afterwards.
import assert from 'node:assert/strict';
import { skippable } from '../../lib/clock.mjs';
import { claimed } from '../../lib/failure.mjs';
import { complete, element, press, eventsOf, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';

const done = { t: 'done', receipt: receipt() };
const isDialogOpen = (tab) => tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
const untilClosed = (tab) => tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
/** Emulates zooming: fewer CSS pixels, each of more device pixels. @param {import('puppeteer-core').Page} tab @param {number} zoom */
const setZoom = (tab, zoom) => tab.setViewport({ width: 1280 / zoom, height: 800 / zoom, deviceScaleFactor: zoom });
const focusedId = (tab) => tab.evaluate(() => document.activeElement.id);

export const clicks = {
  async 'a double click and repeated clicks are one check and one click'(stage) {
    const { tab } = stage;
    for (const count of [2, 5]) {
      await visit(stage, element(fakeWindow(stage)));
      await (await tab.$('#claim')).click({ count });
      await sendFromFake(tab, done);
      await claimed(tab);
      await untilClosed(tab);
      assert.equal((await eventsOf(tab, 'claimed')).length, 1);
      assert.equal((await eventsOf(tab, 'verified')).length, 1);
    }
  },

  async 'simultaneous clicks by scripts are one check'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await tab.evaluate(() => {
      for (let n = 0; n < 5; n += 1) document.getElementById('claim').click();
    });
    await sendFromFake(tab, done, done, { ...done, receipt: receipt(1) });
    await claimed(tab);
    assert.deepEqual((await eventsOf(tab, 'verified')).map((one) => one.detail), [receipt()]);
    assert.equal((await eventsOf(tab, 'claimed')).length, 1);
  },

  async 'a click on an element inside the button opens the check'(stage) {
    const { tab } = stage;
    const buttonHtml = '<button id="claim"><svg width="40" height="40"><rect id="inner" width="40" height="40"/></svg></button>';
    await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, buttonHtml));
    await (await tab.$('#inner')).click();
    await sendFromFake(tab, done);
    await claimed(tab);
    assert.equal((await eventsOf(tab, 'claimed')).length, 1);
  },

  async 'a button that is replaced during the check is clicked'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await connectedFake(tab);
    await tab.evaluate(() => document.getElementById('claim').replaceWith(document.getElementById('claim').cloneNode(true)));
    await sendFromFake(tab, done);
    await claimed(tab);
    assert.equal((await eventsOf(tab, 'claimed')).length, 1);
  },

  async 'a link is followed after the check'(stage) {
    const { tab, site } = stage;
    site.put('/prize', '<!doctype html><title>The prize</title>');
    await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, '<a id="claim" href="/prize">Claim</a>'));
    await (await tab.$('#claim')).click();
    await connectedFake(tab);
    assert.ok(tab.url().endsWith('/'));
    await sendFromFake(tab, done);
    await tab.waitForFunction(() => document.title === 'The prize');
  },

  async 'Escape in the window or on the page closes the window and restores the focus'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage));
    const button = await tab.$('#claim');
    for (const view of ['opening', 'first']) {
      await button.focus();
      await tab.keyboard.press('Enter');
      if (view === 'first') await windowAt(tab, view);
      else await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('dialog')?.open);
      await tab.keyboard.press('Escape');
      await untilState(tab, 'idle');
      assert.equal(await isDialogOpen(tab), false);
      assert.equal(await focusedId(tab), 'claim', view);
    }
    assert.equal((await eventsOf(tab, 'cancel')).length, 2);
    assert.deepEqual(await eventsOf(tab, 'claimed'), []);
  },

  async 'the close button cancels the check, and the next click starts another'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage));
    const button = await tab.$('#claim');
    await button.click();
    await (await (await windowAt(tab, 'first')).$('#close')).click();
    await untilState(tab, 'idle');
    assert.equal(await focusedId(tab), 'claim');
    await complete(tab);
    await claimed(tab);
  },

  async 'closing the window after completion runs the click'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done, { t: 'close' });
    await claimed(tab);
    assert.equal(await focusedId(tab), 'claim');
    assert.equal((await eventsOf(tab, 'cancel')).length, 0);
  },

  async 'a check of more than 5 s ends with a click on Continue'(stage) {
    const { tab } = stage;
    await skippable(tab);
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await connectedFake(tab);
    await tab.evaluate(() => window.skip(5000));
    await sendFromFake(tab, done);
    await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('[data-kind="done"] button'));
    assert.deepEqual(await eventsOf(tab, 'claimed'), []);
    await tab.keyboard.press('Enter');
    await claimed(tab);
    assert.equal(await focusedId(tab), 'claim');
  },

  async 'a check completes on a zoomed page'(stage) {
    const { tab } = stage;
    for (const [zoom, then] of [[2, 2], [0.5, 0.5], [1, 2]]) {
      await setZoom(tab, zoom);
      await visit(stage, element(stage));
      await (await tab.$('#claim')).click();
      await windowAt(tab, 'first');
      await setZoom(tab, then);
      await press(tab);
      await claimed(tab);
    }
  },
};
