// Methods verify(), reset(), close() and load(), in every state.
import assert from 'node:assert/strict';
import { element, frameWith, eventsOf, untilState, visit } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, received, sendFromFake } from '../../lib/fake-window.mjs';

const done = { t: 'done', receipt: receipt() };

/** Ways to each state after the check is opened. */
const WAYS = {
  opening: [],
  sign: [{ t: 'state', name: 'sign' }],
  checking: [{ t: 'state', name: 'checking' }],
  press: [{ t: 'state', name: 'press' }],
  confirming: [{ t: 'state', name: 'confirming' }],
  failed: [{ t: 'error', code: 'check_failed', retryable: true, reference: 'r-2' }],
  verified: [done],
  declined: [done],
};
/** Results of `verify()` when the dialog is closed in a state. */
const CLOSED = { failed: 'check_failed', verified: 'verified', declined: 'declined' };
/** State after the dialog is closed. */
const LEFT = { failed: 'failed', verified: 'verified', declined: 'declined' };

/** Opens a check with `verify()` and brings it to a state. */
async function at(stage, state) {
  await visit(stage, element(fakeWindow(stage)));
  await stage.tab.evaluate((declines) => {
    const check = document.querySelector('voight-check');
    if (declines) check.confirm = () => Promise.reject(new Error('no'));
    window.outcome = check.verify().then(() => 'verified', ({ code }) => code);
  }, state === 'declined');
  await connectedFake(stage.tab);
  if (WAYS[state].length) await sendFromFake(stage.tab, ...WAYS[state]);
  await untilState(stage.tab, state);
}

/** Calls a method, and returns the results for the element and for `verify()`. */
const after = (tab, method) =>
  tab.evaluate(async (method) => {
    const check = document.querySelector('voight-check');
    check[method]();
    return [check.state, await window.outcome, check.shadowRoot.querySelector('dialog')?.open ?? false];
  }, method);

export const methods = {
  async 'close() cancels the check in every state'(stage) {
    for (const state of Object.keys(WAYS)) {
      await at(stage, state);
      assert.deepEqual(await after(stage.tab, 'close'), [LEFT[state] ?? 'idle', CLOSED[state] ?? 'cancel', false], state);
      assert.deepEqual((await eventsOf(stage.tab, 'cancel')).map((one) => one.detail), LEFT[state] ? [] : [{ reason: 'page' }], state);
    }
  },

  async 'reset() returns to idle in every state'(stage) {
    for (const state of Object.keys(WAYS)) {
      await at(stage, state);
      const outcome = CLOSED[state] === 'check_failed' ? 'cancel' : (CLOSED[state] ?? 'cancel');
      assert.deepEqual(await after(stage.tab, 'reset'), ['idle', outcome, false], state);
      assert.equal(await stage.tab.evaluate(() => document.querySelector('voight-check').receipt), null);
    }
  },

  async 'close() and reset() work before the window is loaded'(stage) {
    const { tab } = stage;
    for (const method of ['close', 'reset']) {
      await visit(stage, element(fakeWindow(stage)));
      const observations = await tab.evaluate(async (method) => {
        const check = document.querySelector('voight-check');
        const outcome = check.verify().then(() => 'verified', ({ code }) => code);
        check[method]();
        return [check.state, await outcome, Boolean(check.shadowRoot.querySelector('dialog')?.open)];
      }, method);
      assert.deepEqual(observations, ['idle', 'cancel', false], method);
      assert.equal((await eventsOf(tab, 'cancel')).length, method === 'close' ? 1 : 0);
    }
  },

  async 'close() and reset() have no effect without a check'(stage) {
    await visit(stage, element(fakeWindow(stage)));
    await stage.tab.evaluate(() => {
      const check = document.querySelector('voight-check');
      check.close();
      check.reset();
      check.close();
    });
    assert.deepEqual(await eventsOf(stage.tab), []);
  },

  async 'verify() returns the receipt and does not click'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    const got = tab.evaluate(() => document.querySelector('voight-check').verify());
    await sendFromFake(tab, { t: 'state', name: 'press' }, done);
    assert.equal(await got, receipt());
    await tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
    assert.deepEqual(await eventsOf(tab, 'claimed'), []);
  },

  async 'verify() during a check returns the same promise'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    const same = await tab.evaluate(() => {
      const check = document.querySelector('voight-check');
      const first = check.verify();
      document.getElementById('claim').click();
      first.then((receipt) => (window.got = receipt));
      return first === check.verify();
    });
    assert.equal(same, true);
    await sendFromFake(tab, done);
    await untilState(tab, 'verified');
    assert.equal(await tab.evaluate(() => window.got), receipt());
    assert.deepEqual((await eventsOf(tab, 'statechange')).map((one) => one.detail), ['opening', 'confirming', 'verified']);
  },

  async 'verify() after a check starts another with a new receipt'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    for (const life of [600, 601]) {
      const got = tab.evaluate(() => document.querySelector('voight-check').verify());
      await sendFromFake(tab, { t: 'done', receipt: receipt(life) });
      assert.equal(await got, receipt(life));
      await tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('iframe'));
    }
  },

  async 'verify() requires an address and a document'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'eoa-address=""'));
    const codes = await tab.evaluate(async () => {
      const outcome = (check) => check.verify().then(() => 'verified', ({ code, message, retryable, reference }) => [code, message, retryable, reference]);
      const check = document.querySelector('voight-check');
      const first = await outcome(check);
      check.remove();
      await Promise.resolve();
      check.eoaAddress = '0x' + '1'.repeat(40);
      return [first, await outcome(check)];
    });
    assert.deepEqual(codes, [['wallet_required', 'wallet_required', false, ''], ['not_connected', 'not_connected', false, '']]);
    assert.equal((await eventsOf(tab, 'walletrequired')).length, 1);
  },

  async 'verify() runs a check for an element of a script, without a child'(stage) {
    const { tab } = stage;
    const { service } = fakeWindow(stage);
    await visit(stage, '');
    const properties = { baseUrl: service.url, contextId: stage.account.context, eoaAddress: '0x' + '1'.repeat(40) };
    const got = tab.evaluate((properties) => {
      const check = Object.assign(document.createElement('voight-check'), properties);
      document.body.append(check);
      return check.verify();
    }, properties);
    const [{ originSite }] = await received(tab);
    assert.equal(originSite, stage.site.origin);
    await sendFromFake(tab, done);
    assert.equal(await got, receipt());
  },

  async 'load() loads the window without starting a check'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'preload="open"'));
    await tab.evaluate(() => document.querySelector('voight-check').load());
    await tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('iframe'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(await eventsOf(tab), []);
    assert.ok(await frameWith(tab, () => window.received?.length === 0));
  },
};
