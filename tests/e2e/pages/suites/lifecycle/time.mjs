// Wrong clocks, expiring receipts, and pages that are left and restored.
import assert from 'node:assert/strict';
import { hide, retime, skew } from '../../lib/clock.mjs';
import { claimed } from '../../lib/failure.mjs';
import { complete, element, eventsOf, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';

const HOUR = 3600000;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const time = {
  async 'a wrong system clock does not fail the check'(stage) {
    const { tab } = stage;
    for (const by of [-9 * HOUR, 90 * 24 * HOUR]) {
      await skew(tab, by);
      await visit(stage, element(stage));
      await complete(tab);
      await claimed(tab);
      assert.equal(await tab.evaluate(() => document.querySelector('voight-check').state), 'verified');
    }
  },

  async 'a receipt expires at its own expiry'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt(1) });
    await untilState(tab, 'verified');
    await untilState(tab, 'expired');
    assert.deepEqual((await eventsOf(tab, 'expired')).length, 1);
    assert.equal(await tab.evaluate(() => document.querySelector('voight-check').receipt), null);
    assert.equal((await eventsOf(tab, 'claimed')).length, 1);
    await (await tab.$('#claim')).click();
    await connectedFake(tab);
    assert.equal((await eventsOf(tab, 'claimed')).length, 1, 'the next click is checked again');
  },

  async 'a page that was suspended expires its receipt on resume'(stage) {
    const { tab } = stage;
    await skew(tab, 0);
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt(60) });
    await untilState(tab, 'verified');
    await tab.evaluate(() => window.jump(59000));
    await hide(tab, false);
    assert.deepEqual(await eventsOf(tab, 'expired'), []);
    await tab.evaluate(() => window.jump(2000));
    await hide(tab, false);
    await untilState(tab, 'expired');
  },

  async 'timeouts pause while the page is hidden'(stage) {
    const { tab } = stage;
    await retime(tab, { 1000: 300 });
    await visit(stage, element(fakeWindow(stage, '')));
    for (const hidden of [true, false]) {
      await (await tab.$('#claim')).click();
      await untilState(tab, 'opening');
      if (hidden) await hide(tab, true);
      await wait(1500);
      assert.deepEqual((await eventsOf(tab, 'error')).map((one) => one.detail.code), hidden ? [] : ['window_blocked']);
      await tab.evaluate(() => document.querySelector('voight-check').close());
      await hide(tab, false);
    }
  },

  async 'a page that the browser restores continues its check or starts a new one'(stage) {
    const { tab, site } = stage;
    site.put('/elsewhere', '<!doctype html><title>Elsewhere</title>');
    await visit(stage, element(stage), { headers: { 'cache-control': 'max-age=60' } });
    await tab.evaluate(() => addEventListener('pageshow', ({ persisted }) => (window.restored = persisted)));
    await (await tab.$('#claim')).click();
    await windowAt(tab, 'first');
    await tab.goto(site.origin + '/elsewhere');
    await tab.evaluate(() => void history.back());
    await tab.waitForFunction(() => customElements.get('voight-check') && window.events);
    if (!(await tab.evaluate(() => window.restored))) return complete(tab).then(() => claimed(tab));
    // The driver loses a frame that was preserved; its target still has the focus.
    assert.equal(await tab.evaluate(() => document.querySelector('voight-check').state), 'press');
    await tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('iframe').focus());
    await tab.keyboard.press('Enter');
    await untilState(tab, 'verified');
  },
};
