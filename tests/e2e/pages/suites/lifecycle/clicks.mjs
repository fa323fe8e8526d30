// Repeated clicks, keys, and the focus afterwards.
import assert from 'node:assert/strict';
import { skippable } from '../../lib/clock.mjs';
import { claimed } from '../../lib/failure.mjs';
import { complete, element, press, told, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { greeted, receipt, say, standIn } from '../../lib/stand-in.mjs';

const done = { t: 'done', receipt: receipt() };
const opened = (tab) => tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
const untilClosed = (tab) => tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
/** Emulates zooming: fewer CSS pixels, each of more device pixels. @param {import('puppeteer-core').Page} tab @param {number} zoom */
const zoomed = (tab, zoom) => tab.setViewport({ width: 1280 / zoom, height: 800 / zoom, deviceScaleFactor: zoom });
const focused = (tab) => tab.evaluate(() => document.activeElement.id);

export const clicks = {
  async 'a double click, and many quick ones, are one check and one click'(stage) {
    const { tab } = stage;
    for (const count of [2, 5]) {
      await visit(stage, element(standIn(stage)));
      await (await tab.$('#claim')).click({ count });
      await say(tab, done);
      await claimed(tab);
      await untilClosed(tab);
      assert.equal((await told(tab, 'claimed')).length, 1);
      assert.equal((await told(tab, 'verified')).length, 1);
    }
  },

  async 'clicks of scripts in one moment are one check'(stage) {
    const { tab } = stage;
    await visit(stage, element(standIn(stage)));
    await tab.evaluate(() => {
      for (let n = 0; n < 5; n += 1) document.getElementById('claim').click();
    });
    await say(tab, done, done, { ...done, receipt: receipt(1) });
    await claimed(tab);
    assert.deepEqual((await told(tab, 'verified')).map((one) => one.detail), [receipt()]);
    assert.equal((await told(tab, 'claimed')).length, 1);
  },

  async 'a click on a part of the child counts as the child'(stage) {
    const { tab } = stage;
    const drawn = '<button id="claim"><svg width="40" height="40"><rect id="inner" width="40" height="40"/></svg></button>';
    await visit(stage, element(standIn(stage)).replace(/<button.*button>/, drawn));
    await (await tab.$('#inner')).click();
    await say(tab, done);
    await claimed(tab);
    assert.equal((await told(tab, 'claimed')).length, 1);
  },

  async 'a child that is drawn anew during the check is clicked all the same'(stage) {
    const { tab } = stage;
    await visit(stage, element(standIn(stage)));
    await (await tab.$('#claim')).click();
    await greeted(tab);
    await tab.evaluate(() => document.getElementById('claim').replaceWith(document.getElementById('claim').cloneNode(true)));
    await say(tab, done);
    await claimed(tab);
    assert.equal((await told(tab, 'claimed')).length, 1);
  },

  async 'a link is followed after the check'(stage) {
    const { tab, site } = stage;
    site.put('/prize', '<!doctype html><title>The prize</title>');
    await visit(stage, element(standIn(stage)).replace(/<button.*button>/, '<a id="claim" href="/prize">Claim</a>'));
    await (await tab.$('#claim')).click();
    await greeted(tab);
    assert.ok(tab.url().endsWith('/'));
    await say(tab, done);
    await tab.waitForFunction(() => document.title === 'The prize');
  },

  async 'Escape closes the window, from either side, and the focus comes back'(stage) {
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
      assert.equal(await opened(tab), false);
      assert.equal(await focused(tab), 'claim', view);
    }
    assert.equal((await told(tab, 'cancel')).length, 2);
    assert.deepEqual(await told(tab, 'claimed'), []);
  },

  async 'the close button in the window gives up, and the next click begins anew'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage));
    const button = await tab.$('#claim');
    await button.click();
    await (await (await windowAt(tab, 'first')).$('#close')).click();
    await untilState(tab, 'idle');
    assert.equal(await focused(tab), 'claim');
    await complete(tab);
    await claimed(tab);
  },

  async 'closing a window that says it is done lets the click run'(stage) {
    const { tab } = stage;
    await visit(stage, element(standIn(stage)));
    await (await tab.$('#claim')).click();
    await say(tab, done, { t: 'close' });
    await claimed(tab);
    assert.equal(await focused(tab), 'claim');
    assert.equal((await told(tab, 'cancel')).length, 0);
  },

  async 'a check that took long ends with a click on Continue'(stage) {
    const { tab } = stage;
    await skippable(tab);
    await visit(stage, element(standIn(stage)));
    await (await tab.$('#claim')).click();
    await greeted(tab);
    await tab.evaluate(() => window.skip(5000));
    await say(tab, done);
    await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('[data-kind="done"] button'));
    assert.deepEqual(await told(tab, 'claimed'), []);
    await tab.keyboard.press('Enter');
    await claimed(tab);
    assert.equal(await focused(tab), 'claim');
  },

  async 'a zoomed page works, also when it is zoomed while the window is open'(stage) {
    const { tab } = stage;
    for (const [zoom, then] of [[2, 2], [0.5, 0.5], [1, 2]]) {
      await zoomed(tab, zoom);
      await visit(stage, element(stage));
      await (await tab.$('#claim')).click();
      await windowAt(tab, 'first');
      await zoomed(tab, then);
      await press(tab);
      await claimed(tab);
    }
  },
};
