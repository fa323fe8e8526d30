// Platform that declines, hesitates or fails when it is asked to confirm.
import assert from 'node:assert/strict';
import { choose, claimed } from '../../lib/failure.mjs';
import { complete, element, told, untilState, visit } from '../../lib/quest.mjs';
import { receipt, say, standIn } from '../../lib/stand-in.mjs';

const done = { t: 'done', receipt: receipt() };
/** Return values of `confirm`, and the reasons that the page receives. */
const DECLINING = [
  [`() => Promise.reject(new Error('Come back tomorrow'))`, 'Come back tomorrow'],
  [`() => Promise.reject('Come back <b>tomorrow</b>')`, 'Come back <b>tomorrow</b>'],
  [`() => { throw new Error('a mistake'); }`, 'a mistake'],
  [`() => Promise.reject()`, 'We could not complete this check for this page.'],
];

/** Opens a check of a page with this `confirm`. */
async function begun(stage, confirm, over = standIn(stage)) {
  await visit(stage, element(over));
  await stage.tab.evaluate(`document.querySelector('voight-check').confirm = ${confirm}; void 0;`);
}

export const platform = {
  async 'a platform that declines is shown with its own words, and the click does not run'(stage) {
    const { tab } = stage;
    for (const [confirm, reason] of DECLINING) {
      await begun(stage, confirm);
      await (await tab.$('#claim')).click();
      await say(tab, done);
      await untilState(tab, 'declined');
      assert.deepEqual((await told(tab, 'declined')).map((one) => one.detail), [reason]);
      const shown = await tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('.panel').innerText);
      assert.ok(shown.includes(reason), shown);
      await choose(tab, 'Close');
      assert.deepEqual(await told(tab, 'claimed'), []);
      assert.equal(await tab.evaluate(() => document.querySelector('voight-check').receipt), null);
    }
  },

  async 'a platform that hangs can be left, and its late answer is not heard'(stage) {
    const { tab } = stage;
    await begun(stage, `() => new Promise((resolve) => (window.answer = resolve))`);
    await (await tab.$('#claim')).click();
    await say(tab, done);
    await choose(tab, 'Close');
    await untilState(tab, 'idle');
    await tab.evaluate(() => window.answer());
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal((await told(tab, 'cancel')).length, 1);
    assert.deepEqual(await told(tab, 'verified'), []);
    assert.deepEqual(await told(tab, 'claimed'), []);
  },

  async 'a platform that agrees after the wallet has changed is not heard'(stage) {
    const { tab } = stage;
    await begun(stage, `() => new Promise((resolve) => (window.answer = resolve))`);
    await (await tab.$('#claim')).click();
    await say(tab, done);
    await tab.waitForFunction(() => window.answer);
    await tab.evaluate(() => (document.querySelector('voight-check').eoaAddress = '0x' + '3'.repeat(40)));
    await tab.evaluate(() => window.answer());
    await untilState(tab, 'failed');
    assert.deepEqual(await told(tab, 'verified'), []);
  },
};

export const morePlatform = {
  async 'a real check that is declined may be made again'(stage) {
    const { tab } = stage;
    await begun(stage, `(receipt) => (window.asked ? (window.asked = receipt) : Promise.reject(new Error(window.asked = 'no')))`, stage);
    await complete(tab);
    await untilState(tab, 'declined');
    await choose(tab, 'Close');
    await complete(tab);
    await claimed(tab);
    assert.equal(await tab.evaluate(() => window.asked), await tab.evaluate(() => document.querySelector('voight-check').receipt));
  },
};
