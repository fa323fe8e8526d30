// Service that rejects, for each of its reasons.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { retime } from '../../lib/clock.mjs';
import { claimed, failed, press as choice } from '../../lib/failure.mjs';
import { ADDRESS, complete, element, press, eventsOf, visit, windowAt } from '../../lib/quest.mjs';
import { Service } from '../../lib/service.mjs';
import { proxied } from '../../lib/proxy.mjs';

const UNKNOWN = 'spring.01k00000000000000000000000';

/** Clicks, and leaves with the error. @param {any} stage @param {string} attributes @param {string} code */
async function refusal(stage, attributes, code) {
  await visit(stage, element(stage, attributes));
  await (await stage.tab.$('#claim')).click();
  const reference = await failed(stage.tab, code, false);
  await choice(stage.tab, 'failed', 'close');
  assert.deepEqual(await eventsOf(stage.tab, 'claimed'), []);
  return reference;
}

export const refused = {
  async 'a rate limit counts down to a retry'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      const headers = { 'content-type': 'application/json', 'retry-after': '3' };
      const body = JSON.stringify({ success: false, error: { id: 'm_g_r_1', code: 'RATE_LIMITED', message: 'Too many requests.' } });
      proxy.rule = ({ url }) => (url.endsWith('/checks') ? { status: 429, headers, body } : undefined);
      await (await tab.$('#claim')).click();
      await failed(tab, 'rate_limited', true);
      proxy.rule = () => undefined;
      const frame = await windowAt(tab, 'failed');
      const readPanel = () => ({
        status: document.getElementById('status').textContent,
        live: document.getElementById('status').getAttribute('aria-live'),
        disabled: document.querySelector('button[name=retry]').disabled,
      });
      const first = await frame.evaluate(readPanel);
      assert.match(first.status, /in 3 seconds/);
      assert.deepEqual([first.live, first.disabled], ['polite', true]);
      await frame.waitForFunction(() => /in [12] seconds?\./.test(document.getElementById('status').textContent));
      assert.equal((await frame.evaluate(readPanel)).live, 'off', 'not every second is announced');
      await frame.waitForFunction(() => !document.querySelector('button[name=retry]').disabled);
      assert.deepEqual(await frame.evaluate(readPanel), { status: 'You can try again now.', live: 'polite', disabled: false });
      await choice(tab, 'failed', 'retry');
      await press(tab);
      await claimed(tab);
    });
  },

  async 'an error does not show the hint of the target'(stage) {
    await visit(stage, element(stage, `context-id="${UNKNOWN}"`));
    await (await stage.tab.$('#claim')).click();
    const frame = await windowAt(stage.tab, 'failed');
    assert.equal(await frame.$eval('#hint', (node) => node.checkVisibility()), false);
  },

  async 'an invalid context or page is an error before the check starts'(stage) {
    const { service, account } = stage;
    const [closed, pinned] = [await service.register(account.key, 'closed'), await service.register(account.key, 'pinned')];
    await service.command('context', 'archive', closed, '--yes');
    await service.command('context', 'set', pinned, '--origins', 'https://elsewhere.example');
    for (const [context, code] of [[UNKNOWN, 'context_unknown'], ['no context', 'context_unknown'], [closed, 'context_closed'], [pinned, 'origin_not_allowed']]) {
      const reference = await refusal(stage, `context-id="${context}"`, code);
      assert.match(reference, /^[0-9a-f]{32}$/, code);
      assert.ok((await service.log()).includes(reference), code);
    }
    await refusal(stage, 'origin-site="https://elsewhere.example/1"', 'origin_mismatch');
  },

  async 'an error of the service has a reference that is in the log'(stage) {
    const wrong = ADDRESS.replace('E', 'e');
    for (const [attributes, code] of [[`eoa-address="${wrong}"`, 'address_invalid'], ['session="forged"', 'session_invalid']]) {
      const reference = await refusal(stage, attributes, code);
      assert.match(reference, /^[0-9a-f]{32}$/);
      assert.ok((await stage.service.log()).includes(reference), code);
    }
  },

  async 'a proxy that removes the proof headers fails the check with a reference'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      for (const stripped of [/^x-voight-challenge$/, /^x-voight-work$/]) {
        await visit(own, element(own));
        proxy.rule = () => ({ stripped });
        await (await tab.$('#claim')).click();
        await press(tab, ['first']);
        assert.match(await failed(tab, 'check_failed', true), /^[0-9a-f]{32}$/);
        proxy.rule = () => undefined;
        await choice(tab, 'failed', 'retry');
        await press(tab);
        await claimed(tab);
      }
    });
  },

  async 'a check that is not continued expires'(stage) {
    const { tab } = stage;
    await retime(tab, { 290000: 1500 });
    await visit(stage, element(stage));
    await (await tab.$('#claim')).click();
    await press(tab, ['first']);
    await failed(tab, 'session_expired', true);
    await choice(tab, 'failed', 'retry');
    await windowAt(tab, 'first');
  },
};

export const moreRefused = {
  async "a proxy that removes the browser's own headers does not fail the check"(stage) {
    await proxied(stage, async (proxy, own) => {
      await visit(own, element(own));
      proxy.rule = () => ({ stripped: /^(origin|referer|accept-language|sec-.*)$/ });
      await complete(own.tab);
      await claimed(own.tab);
    });
  },

  async 'a response that is not JSON is an internal error'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      proxy.rule = ({ method }) => (method === 'POST' ? { status: 502, headers: { 'x-request-id': 'of-the-proxy' }, body: '<h1>Bad gateway</h1>' } : undefined);
      await (await tab.$('#claim')).click();
      assert.equal(await failed(tab, 'internal', true), 'of-the-proxy');
    });
  },

  async 'a network with too many checks gets a rate limit error'(stage) {
    const file = `${stage.service.dataDir}/../few.toml`;
    await writeFile(file, '[limits]\nchecks_per_minute = 1\nmax_checks_per_minute = 1\n');
    const service = await Service.start(['--config', file]);
    try {
      const ownStage = { ...stage, service, account: await service.account() };
      await visit(ownStage, element(ownStage));
      for (const tries = []; tries.length < 4 && (await eventsOf(ownStage.tab, 'error')).length === 0; tries.push(1)) {
        await (await ownStage.tab.$('#claim')).click();
        await ownStage.tab.waitForFunction(() => ['press', 'failed'].includes(document.querySelector('voight-check').state));
        if ((await eventsOf(ownStage.tab, 'error')).length === 0) await ownStage.tab.evaluate(() => document.querySelector('voight-check').close());
      }
      assert.match(await failed(ownStage.tab, 'rate_limited', true), /^[0-9a-f]{32}$/);
    } finally {
      await service.stop();
    }
  },

  async 'a check without input is replaced silently'(stage) {
    const { tab } = stage;
    await retime(tab, { 240000: 2500 });
    await visit(stage, element(stage));
    await (await tab.$('#claim')).click();
    await windowAt(tab, 'first');
    await tab.waitForFunction(() => window.events.filter((one) => one.detail === 'press').length === 2, { timeout: 20000 });
    await press(tab);
    await tab.waitForFunction(() => document.querySelector('voight-check').state === 'verified', { timeout: 20000 });
    assert.deepEqual(await eventsOf(tab, 'error'), []);
  },
};
