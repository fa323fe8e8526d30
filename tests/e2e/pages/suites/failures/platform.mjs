// Platform that declines, hesitates or fails when it is asked to confirm.
import assert from 'node:assert/strict';
import { choose, claimed } from '../../lib/failure.mjs';
import { complete, element, eventsOf, untilState, visit } from '../../lib/quest.mjs';
import { fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';

const done = { t: 'done', receipt: receipt() };
/** Return values of `confirm`, and the reasons that the page receives. */
const DECLINING = [
  [`() => Promise.reject(new Error('Come back tomorrow'))`, 'Come back tomorrow'],
  [`() => Promise.reject('Come back <b>tomorrow</b>')`, 'Come back <b>tomorrow</b>'],
  [`() => { throw new Error('a mistake'); }`, 'a mistake'],
  [`() => Promise.reject()`, 'We could not complete this check for this page.'],
];

/** Opens a check of a page with this `confirm`. */
async function openCheck(stage, confirm, over = fakeWindow(stage)) {
  await visit(stage, element(over));
  await stage.tab.evaluate(`document.querySelector('voight-check').confirm = ${confirm}; void 0;`);
}

export const platform = {
  async 'a declined check shows the reason of the platform, and the click does not run'(stage) {
    const { tab } = stage;
    for (const [confirm, reason] of DECLINING) {
      await openCheck(stage, confirm);
      await (await tab.$('#claim')).click();
      await sendFromFake(tab, done);
      await untilState(tab, 'declined');
      assert.deepEqual((await eventsOf(tab, 'declined')).map((one) => one.detail), [reason]);
      const panelText = await tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('.panel').innerText);
      assert.ok(panelText.includes(reason), panelText);
      await choose(tab, 'Close');
      assert.deepEqual(await eventsOf(tab, 'claimed'), []);
      assert.equal(await tab.evaluate(() => document.querySelector('voight-check').receipt), null);
    }
  },

  async 'a pending confirmation can be cancelled, and its late result is ignored'(stage) {
    const { tab } = stage;
    await openCheck(stage, `() => new Promise((resolve) => (window.answer = resolve))`);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await choose(tab, 'Close');
    await untilState(tab, 'idle');
    await tab.evaluate(() => window.answer());
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal((await eventsOf(tab, 'cancel')).length, 1);
    assert.deepEqual(await eventsOf(tab, 'verified'), []);
    assert.deepEqual(await eventsOf(tab, 'claimed'), []);
  },

  async 'a confirmation after a change of the address is ignored'(stage) {
    const { tab } = stage;
    await openCheck(stage, `() => new Promise((resolve) => (window.answer = resolve))`);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await tab.waitForFunction(() => window.answer);
    await tab.evaluate(() => (document.querySelector('voight-check').eoaAddress = '0x' + '3'.repeat(40)));
    await tab.evaluate(() => window.answer());
    await untilState(tab, 'failed');
    assert.deepEqual(await eventsOf(tab, 'verified'), []);
  },
};

export const morePlatform = {
  async 'a declined check can be repeated'(stage) {
    const { tab } = stage;
    await openCheck(stage, `(receipt) => (window.asked ? (window.asked = receipt) : Promise.reject(new Error(window.asked = 'no')))`, stage);
    await complete(tab);
    await untilState(tab, 'declined');
    await choose(tab, 'Close');
    await complete(tab);
    await claimed(tab);
    assert.equal(await tab.evaluate(() => window.asked), await tab.evaluate(() => document.querySelector('voight-check').receipt));
  },
};
