// Events and callbacks of the page.
import assert from 'node:assert/strict';
import { element, eventsOf, untilState, visit } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';

/** Each event, and its trigger. @type {Record<string, [string, (tab: import('puppeteer-core').Page) => Promise<unknown>]>} */
const WAYS = {
  Verified: ['', (tab) => sendFromFake(tab, { t: 'done', receipt: receipt() })],
  Declined: ['', (tab) => sendFromFake(tab, { t: 'done', receipt: receipt() })],
  Error: ['', (tab) => sendFromFake(tab, { t: 'error', code: 'rate_limited', retryable: true, reference: 'r-1' })],
  Cancel: ['', (tab) => sendFromFake(tab, { t: 'close' })],
  Expired: ['', (tab) => sendFromFake(tab, { t: 'done', receipt: receipt(1) })],
  WalletRequired: ['eoa-address=""', async () => {}],
  StateChange: ['', async () => {}],
};
const DETAILS = {
  Verified: receipt(),
  Declined: 'Come back tomorrow',
  Error: { code: 'rate_limited', retryable: true, reference: 'r-1' },
  StateChange: 'opening',
  Cancel: { reason: 'visitor' },
};

export const events = {
  async 'each event reaches listeners and its callback'(stage) {
    const { tab } = stage;
    for (const [name, [attributes, bringAbout]] of Object.entries(WAYS)) {
      await visit(stage, element(fakeWindow(stage), attributes));
      await tab.evaluate((name) => {
        const check = document.querySelector('voight-check');
        window.called = [];
        check['on' + name] = (...details) => called.push(details);
        if (name === 'Declined') check.confirm = () => Promise.reject(new Error('Come back tomorrow'));
      }, name);
      await (await tab.$('#claim')).click();
      await bringAbout(tab);
      await tab.waitForFunction(() => window.called.length > 0);
      const [[detail = null]] = await tab.evaluate(() => window.called);
      assert.deepEqual(detail, DETAILS[name] ?? null, name);
      const [event] = await eventsOf(tab, name.toLowerCase());
      assert.deepEqual(event?.detail ?? null, detail, name);
    }
  },

  async 'states are in order as property, attribute and :state()'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    const seen = () =>
      tab.evaluate(() => {
        const check = document.querySelector('voight-check');
        return [check.state, check.getAttribute('state') ?? 'idle', check.matches(`:state(${check.state})`)];
      });
    const is = async (state) => assert.deepEqual(await seen(), [state, state, true]);
    await is('idle');
    await (await tab.$('#claim')).click();
    await connectedFake(tab);
    await is('opening');
    for (const name of ['checking', 'sign', 'checking', 'press', 'confirming']) {
      await sendFromFake(tab, { t: 'state', name });
      await untilState(tab, name);
      await is(name);
    }
    await sendFromFake(tab, { t: 'state', name: 'human' }, { t: 'state', name: 'verified' }, { t: 'done', receipt: receipt(1) });
    await untilState(tab, 'verified');
    await is('verified');
    await untilState(tab, 'expired');
    await is('expired');
    const names = (await eventsOf(tab, 'statechange')).map((one) => one.detail);
    assert.deepEqual(names, ['opening', 'checking', 'sign', 'checking', 'press', 'confirming', 'verified', 'expired']);
  },

  async 'an exception in a callback is reported and the check continues'(stage) {
    const { tab } = stage;
    const mistakes = `<script>
      window.reported = [];
      addEventListener('error', ({ message }) => reported.push(message));
      const check = document.querySelector('voight-check');
      check.onStateChange = 'not a function';
      check.onVerified = () => { throw new Error('a mistake of the page'); };
    </script>`;
    await visit(stage, element(fakeWindow(stage)) + mistakes);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await tab.waitForFunction(() => window.events.some((one) => one.name === 'claimed'));
    const reportedErrors = await tab.evaluate(() => window.reported);
    assert.ok(reportedErrors.length === 4 && reportedErrors.at(-1).includes('a mistake of the page'), reportedErrors.join());
  },

  async 'a callback may reset, close or remove the element'(stage) {
    const { tab } = stage;
    const acts = [() => check.reset(), () => check.close(), () => check.remove(), () => check.verify()];
    for (const act of acts) {
      for (const name of ['verified', 'error']) {
        await visit(stage, element(fakeWindow(stage)));
        await tab.evaluate(`
          const check = document.querySelector('voight-check');
          check.addEventListener('voight-${name}', ${act}, { once: true });
          window.outcome = check.verify().then(() => 'verified', ({ code }) => code);
          void 0;`);
        await sendFromFake(tab, name === 'error' ? { t: 'error', code: 'network', retryable: true, reference: '' } : { t: 'done', receipt: receipt() });
        if (name === 'error' && /verify/.test(act)) continue;
        const closes = { reset: 'cancel', close: 'network', remove: 'cancel' };
        const expectedName = name === 'verified' ? 'verified' : closes[/\.(\w+)/.exec(act)[1]];
        assert.equal(await tab.evaluate(() => window.outcome), expectedName, `${act} at ${name}`);
      }
    }
  },

  async 'the receipt property is set until the receipt expires'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    const of = () => tab.evaluate(() => document.querySelector('voight-check').receipt);
    assert.equal(await of(), null);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt(1) });
    await untilState(tab, 'verified');
    assert.equal(await of(), receipt(1));
    await untilState(tab, 'expired');
    assert.equal(await of(), null);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt(2) });
    await untilState(tab, 'verified');
    assert.equal(await of(), receipt(2), 'an expired check is made again');
  },
};
