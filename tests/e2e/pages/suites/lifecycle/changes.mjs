// Page that changes around an element, and an element that is changed, moved or removed.
import assert from 'node:assert/strict';
import { choose, claimed } from '../../lib/failure.mjs';
import { ADDRESS, element, frameWith, press, eventsOf, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { fakeWindow, receipt, received, sendFromFake } from '../../lib/fake-window.mjs';

const OTHER = '0x' + '2'.repeat(40);
const done = { t: 'done', receipt: receipt() };
const states = async (tab) => (await eventsOf(tab, 'statechange')).map((one) => one.detail);
const inPanel = (tab, at) =>
  tab.evaluate((at) => [...document.querySelector('voight-check').shadowRoot.querySelectorAll('.panel button')].at(at).click(), at);

/** Opens a check and changes the element. */
async function changed(stage, change) {
  await visit(stage, element(fakeWindow(stage)));
  await (await stage.tab.$('#claim')).click();
  await sendFromFake(stage.tab, { t: 'state', name: 'press' });
  await untilState(stage.tab, 'press');
  await stage.tab.evaluate(`{ const check = document.querySelector('voight-check'); ${change} }`);
}

export const changes = {
  async 'a changed address or context fails an open check, which can be retried'(stage) {
    const { tab } = stage;
    for (const change of [`check.eoaAddress = '${OTHER}'; check.contextId = 'other.1';`, `check.baseUrl = location.origin;`]) {
      await changed(stage, change);
      await untilState(tab, 'failed');
      const errors = await eventsOf(tab, 'error');
      assert.deepEqual(errors[0].detail, { code: 'properties_changed', retryable: true, reference: '' });
      assert.deepEqual(await eventsOf(tab, 'claimed'), []);
    }
    await changed(stage, `check.eoaAddress = '${OTHER}'`);
    await inPanel(tab, 0);
    assert.ok(await frameWith(tab, (address) => window.received[0]?.eoaAddress === address, OTHER));
    await sendFromFake(tab, done);
    await claimed(tab);
  },

  async 'a change of other properties keeps the window open'(stage) {
    const { tab } = stage;
    const change = `Object.assign(check, { originSite: location.href + '#2', locale: 'fr', session: 's', preload: 'mount', disabled: true, labels: {} });
      check.setAttribute('eoa-address', check.eoaAddress);`;
    await changed(stage, change);
    assert.equal((await received(tab))[0].eoaAddress, ADDRESS);
    await sendFromFake(tab, done);
    await untilState(tab, 'verified');
    assert.deepEqual(await eventsOf(tab, 'error'), []);
  },

  async 'another spelling of the same address or service changes nothing'(stage) {
    const { tab } = stage;
    await changed(stage, `check.eoaAddress = check.eoaAddress.toLowerCase(); check.baseUrl += '/';`);
    await sendFromFake(tab, done);
    await claimed(tab);
    await tab.evaluate((address) => (document.querySelector('voight-check').eoaAddress = address), ADDRESS);
    const stateAndReceipt = await tab.evaluate(() => [document.querySelector('voight-check').state, document.querySelector('voight-check').receipt]);
    assert.deepEqual(stateAndReceipt, ['verified', receipt()]);
    assert.deepEqual(await eventsOf(tab, 'error'), []);
  },

  async 'a callback that is set while the window is open is called'(stage) {
    const { tab } = stage;
    await changed(stage, `check.confirm = async (receipt) => { window.asked = receipt; };`);
    await sendFromFake(tab, done);
    await untilState(tab, 'verified');
    assert.equal(await tab.evaluate(() => window.asked), receipt());
  },

  async 'a changed address or context discards the receipt'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await claimed(tab);
    const receiptAfter = (change) => tab.evaluate(`{ const check = document.querySelector('voight-check'); ${change}; [check.state, check.receipt] }`);
    assert.deepEqual(await receiptAfter(`check.originSite += '#2'`), ['verified', receipt()]);
    assert.deepEqual(await receiptAfter(`check.eoaAddress = '${OTHER}'`), ['idle', null]);
  },

  async 'two elements on one page are independent'(stage) {
    const { tab } = stage;
    const second = element(stage, `id="second" eoa-address="${OTHER}"`).replace('id="claim"', 'id="other"');
    await visit(stage, element(stage, 'id="first"') + second);
    for (const button of ['#claim', '#other']) {
      await (await tab.$(button)).click();
      await press(tab);
      await untilState(tab, 'verified', button === '#claim' ? '#first' : '#second');
      await tab.evaluate(() => document.querySelectorAll('voight-check').forEach((check) => check.close()));
    }
    const verifiedEvents = await eventsOf(tab, 'verified');
    const addresses = verifiedEvents.map(({ of, detail }) => [of, JSON.parse(Buffer.from(detail.split('.')[1], 'base64url')).address.toLowerCase()]);
    assert.deepEqual(addresses, [['first', ADDRESS.toLowerCase()], ['second', OTHER]]);
  },

  async 'two open windows: the upper one is closed first'(stage) {
    const { tab } = stage;
    const second = element(stage, 'id="second"').replace('id="claim"', 'id="other"');
    await visit(stage, element(stage, 'id="first"') + second);
    await tab.evaluate(() => void document.getElementById('first').verify());
    await windowAt(tab, 'first');
    await tab.evaluate(() => void document.getElementById('second').verify());
    await untilState(tab, 'press', '#second');
    const isLoaded = (selector) => tab.$eval(selector, (check) => Boolean(check.shadowRoot.querySelector('iframe')));
    assert.deepEqual([await isLoaded('#first'), await isLoaded('#second')], [true, true]);
    await tab.evaluate(() => document.getElementById('second').close());
    await tab.waitForFunction(() => !document.getElementById('second').shadowRoot.querySelector('iframe'));
    await press(tab);
    await untilState(tab, 'verified', '#first');
    await untilState(tab, 'idle', '#second');
  },

  async 'removing the element cancels its check, and it can be inserted again'(stage) {
    const { tab } = stage;
    const removal = `check.addEventListener('voight-cancel', ({ detail }) => (window.reason = detail.reason)); check.remove();`;
    await changed(stage, `window.kept = check; window.outcome = check.verify().catch(({ code }) => code); ${removal}`);
    assert.equal(await tab.evaluate(() => window.outcome), 'cancel');
    assert.deepEqual(await tab.evaluate(() => [kept.state, Boolean(kept.shadowRoot.querySelector('dialog'))]), ['idle', false]);
    assert.equal(await tab.evaluate(() => window.reason), 'removed');
    await tab.evaluate(() => document.body.append(kept));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await claimed(tab);
  },

  async 'moving the element keeps its receipt and closes an open window'(stage) {
    const { tab } = stage;
    const move = `document.body.append(document.createElement('main')); document.querySelector('main').append(check);`;
    await changed(stage, move);
    assert.deepEqual(await states(tab), ['opening', 'press', 'idle']);
    assert.deepEqual((await eventsOf(tab, 'cancel')).map((one) => one.detail), [{ reason: 'moved' }]);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await claimed(tab);
    await tab.evaluate(`{ const check = document.querySelector('voight-check'); ${move} }`);
    assert.deepEqual(await tab.evaluate(() => [document.querySelector('voight-check').state, document.querySelector('voight-check').receipt]), ['verified', receipt()]);
  },

  async 'an element that is moved or removed after its check keeps the receipt, or reports what is lost'(stage) {
    const { tab } = stage;
    const acts = {
      'document.body.prepend(check)': [['verified', receipt()], [], 1],
      'check.remove(); document.body.prepend(check)': [['verified', receipt()], [], 1],
      'check.remove()': [['idle', null], ['removed'], 0],
    };
    for (const [act, [kept, reasons, claims]] of Object.entries(acts)) {
      await visit(stage, element(fakeWindow(stage)));
      await tab.evaluate(`
        const check = document.querySelector('voight-check');
        window.reasons = [];
        check.onCancel = ({ reason }) => reasons.push(reason);
        check.onVerified = () => { ${act}; };
        window.check = check; void 0`);
      await (await tab.$('#claim')).click();
      await sendFromFake(tab, done);
      await tab.waitForFunction(() => check.receipt || reasons.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const observations = await tab.evaluate(() => [[check.state, check.receipt], reasons, events.filter(({ name }) => name === 'claimed').length]);
      assert.deepEqual(observations, [kept, reasons, claims], act);
    }
  },

  async 'a receipt remains after the element was removed and inserted again later'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await claimed(tab);
    await tab.evaluate(() => {
      window.check = document.querySelector('voight-check');
      check.remove();
    });
    await tab.evaluate(() => document.body.append(check));
    assert.deepEqual(await tab.evaluate(() => [check.state, check.receipt]), ['verified', receipt()]);
  },

  async 'a preloaded window is reloaded after the element was moved'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).hover();
    await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('iframe'));
    await tab.evaluate(() => document.body.prepend(document.querySelector('voight-check')));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, done);
    await untilState(tab, 'verified');
  },

  async 'moveBefore keeps the window or offers a retry'(stage) {
    const { tab } = stage;
    await changed(stage, `if (document.body.moveBefore) document.body.moveBefore(check, null);`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // If a frame in a shadow tree does not survive even this, the visitor may retry.
    if ((await states(tab)).includes('failed')) await choose(tab, 'Try again');
    await sendFromFake(tab, done);
    await untilState(tab, 'verified');
    assert.deepEqual(await eventsOf(tab, 'cancel'), []);
  },
};
