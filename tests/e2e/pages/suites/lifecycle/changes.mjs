// Page that changes around an element, and an element that is changed, moved or removed.
import assert from 'node:assert/strict';
import { choose, claimed } from '../../lib/failure.mjs';
import { ADDRESS, element, frameWith, press, told, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { heard, receipt, say, standIn } from '../../lib/stand-in.mjs';

const OTHER = '0x' + '2'.repeat(40);
const done = { t: 'done', receipt: receipt() };
const states = async (tab) => (await told(tab, 'statechange')).map((one) => one.detail);
const inPanel = (tab, at) =>
  tab.evaluate((at) => [...document.querySelector('voight-check').shadowRoot.querySelectorAll('.panel button')].at(at).click(), at);

/** Opens a check and changes the element. */
async function changed(stage, change) {
  await visit(stage, element(standIn(stage)));
  await (await stage.tab.$('#claim')).click();
  await say(stage.tab, { t: 'state', name: 'press' });
  await untilState(stage.tab, 'press');
  await stage.tab.evaluate(`{ const check = document.querySelector('voight-check'); ${change} }`);
}

export const changes = {
  async 'another wallet or context ends an open window, and the visitor may begin again'(stage) {
    const { tab } = stage;
    for (const change of [`check.eoaAddress = '${OTHER}'; check.contextId = 'other.1';`, `check.baseUrl = location.origin;`]) {
      await changed(stage, change);
      await untilState(tab, 'failed');
      const errors = await told(tab, 'error');
      assert.deepEqual(errors[0].detail, { code: 'properties_changed', retryable: true, reference: '' });
      assert.deepEqual(await told(tab, 'claimed'), []);
    }
    await changed(stage, `check.eoaAddress = '${OTHER}'`);
    await inPanel(tab, 0);
    assert.ok(await frameWith(tab, (address) => window.heard[0]?.eoaAddress === address, OTHER));
    await say(tab, done);
    await claimed(tab);
  },

  async 'what says nothing of the wallet leaves an open window as it is'(stage) {
    const { tab } = stage;
    const change = `Object.assign(check, { originSite: location.href + '#2', locale: 'fr', session: 's', preload: 'mount', disabled: true, labels: {} });
      check.setAttribute('eoa-address', check.eoaAddress);`;
    await changed(stage, change);
    assert.equal((await heard(tab))[0].eoaAddress, ADDRESS);
    await say(tab, done);
    await untilState(tab, 'verified');
    assert.deepEqual(await told(tab, 'error'), []);
  },

  async 'a callback that is set while the window is open is the one that is called'(stage) {
    const { tab } = stage;
    await changed(stage, `check.confirm = async (receipt) => { window.asked = receipt; };`);
    await say(tab, done);
    await untilState(tab, 'verified');
    assert.equal(await tab.evaluate(() => window.asked), receipt());
  },

  async 'another wallet or context after a check needs another check'(stage) {
    const { tab } = stage;
    await visit(stage, element(standIn(stage)));
    await (await tab.$('#claim')).click();
    await say(tab, done);
    await claimed(tab);
    const receiptAfter = (change) => tab.evaluate(`{ const check = document.querySelector('voight-check'); ${change}; [check.state, check.receipt] }`);
    assert.deepEqual(await receiptAfter(`check.originSite += '#2'`), ['verified', receipt()]);
    assert.deepEqual(await receiptAfter(`check.eoaAddress = '${OTHER}'`), ['idle', null]);
  },

  async 'two elements on one page do not mix'(stage) {
    const { tab } = stage;
    const second = element(stage, `id="second" eoa-address="${OTHER}"`).replace('id="claim"', 'id="other"');
    await visit(stage, element(stage, 'id="first"') + second);
    for (const button of ['#claim', '#other']) {
      await (await tab.$(button)).click();
      await press(tab);
      await untilState(tab, 'verified', button === '#claim' ? '#first' : '#second');
      await tab.evaluate(() => document.querySelectorAll('voight-check').forEach((check) => check.close()));
    }
    const verified = await told(tab, 'verified');
    const addresses = verified.map(({ of, detail }) => [of, JSON.parse(Buffer.from(detail.split('.')[1], 'base64url')).address.toLowerCase()]);
    assert.deepEqual(addresses, [['first', ADDRESS.toLowerCase()], ['second', OTHER]]);
  },

  async 'two windows at once: the upper one is done first'(stage) {
    const { tab } = stage;
    const second = element(stage, 'id="second"').replace('id="claim"', 'id="other"');
    await visit(stage, element(stage, 'id="first"') + second);
    await tab.evaluate(() => void document.getElementById('first').verify());
    await windowAt(tab, 'first');
    await tab.evaluate(() => void document.getElementById('second').verify());
    await untilState(tab, 'press', '#second');
    const loaded = (selector) => tab.$eval(selector, (check) => Boolean(check.shadowRoot.querySelector('iframe')));
    assert.deepEqual([await loaded('#first'), await loaded('#second')], [true, true]);
    await tab.evaluate(() => document.getElementById('second').close());
    await tab.waitForFunction(() => !document.getElementById('second').shadowRoot.querySelector('iframe'));
    await press(tab);
    await untilState(tab, 'verified', '#first');
    await untilState(tab, 'idle', '#second');
  },

  async 'removal while open ends the check, and the element can come back'(stage) {
    const { tab } = stage;
    await changed(stage, `window.kept = check; window.outcome = check.verify().catch(({ code }) => code); check.remove();`);
    assert.equal(await tab.evaluate(() => window.outcome), 'cancel');
    assert.deepEqual(await tab.evaluate(() => [kept.state, Boolean(kept.shadowRoot.querySelector('dialog'))]), ['idle', false]);
    await tab.evaluate(() => document.body.append(kept));
    await (await tab.$('#claim')).click();
    await say(tab, done);
    await claimed(tab);
  },

  async 'a move keeps a receipt and what comes next, and ends an open window'(stage) {
    const { tab } = stage;
    const move = `document.body.append(document.createElement('main')); document.querySelector('main').append(check);`;
    await changed(stage, move);
    assert.deepEqual(await states(tab), ['opening', 'press', 'idle']);
    await (await tab.$('#claim')).click();
    await say(tab, done);
    await claimed(tab);
    await tab.evaluate(`{ const check = document.querySelector('voight-check'); ${move} }`);
    assert.deepEqual(await tab.evaluate(() => [document.querySelector('voight-check').state, document.querySelector('voight-check').receipt]), ['verified', receipt()]);
  },

  async 'a window that was loaded before a move is loaded again after it'(stage) {
    const { tab } = stage;
    await visit(stage, element(standIn(stage)));
    await (await tab.$('#claim')).hover();
    await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('iframe'));
    await tab.evaluate(() => document.body.prepend(document.querySelector('voight-check')));
    await (await tab.$('#claim')).click();
    await say(tab, done);
    await untilState(tab, 'verified');
  },

  async 'a window survives a move that frames survive, or may be tried again'(stage) {
    const { tab } = stage;
    await changed(stage, `if (document.body.moveBefore) document.body.moveBefore(check, null);`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // If a frame in a shadow tree does not survive even this, the visitor may retry.
    if ((await states(tab)).includes('failed')) await choose(tab, 'Try again');
    await say(tab, done);
    await untilState(tab, 'verified');
    assert.deepEqual(await told(tab, 'cancel'), []);
  },
};
