// Unreachable service: at the click, during the check, and until the visitor retries.
import assert from 'node:assert/strict';
import { retime, skippable } from '../../lib/clock.mjs';
import { claimed, failed, press as choice } from '../../lib/failure.mjs';
import { complete, element, frameWith, press, eventsOf, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { proxied } from '../../lib/proxy.mjs';

const untilFrame = (tab) => tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('iframe'));

export const connection = {
  async 'an unreachable service is an error, and the next click succeeds'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own, 'preload="open"'));
      proxy.rule = () => 'drop';
      for (let n = 0; n < 2; n += 1) {
        await (await tab.$('#claim')).click();
        assert.equal(await failed(tab, 'network', true), '');
        await tab.evaluate(() => document.querySelector('voight-check').reset());
      }
      proxy.rule = () => undefined;
      await complete(tab);
      await claimed(tab);
    });
  },

  async 'a window that failed to preload is reloaded on the click'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await skippable(tab);
      // Not by the retry that follows a silent window after some seconds.
      await retime(tab, { 4000: 60000 });
      for (const fate of ['drop', { status: 502, body: 'bad gateway' }]) {
        proxy.rule = () => undefined;
        await visit(own, element(own));
        proxy.rule = ({ url }) => (url.startsWith('/window/v1?') ? fate : undefined);
        await (await tab.$('#claim')).focus();
        await untilFrame(tab);
        await new Promise((resolve) => setTimeout(resolve, 500));
        await tab.evaluate(() => window.skip(9000));
        proxy.rule = () => undefined;
        await (await tab.$('#claim')).click();
        await windowAt(tab, 'first');
        assert.deepEqual(await eventsOf(tab, 'error'), []);
      }
    });
  },

  async 'a check that goes offline can be repeated'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      await (await tab.$('#claim')).click();
      await press(tab, ['first']);
      await windowAt(tab, 'second');
      proxy.rule = () => 'drop';
      await press(tab, ['second']);
      await failed(tab, 'network', true);
      assert.deepEqual(await eventsOf(tab, 'claimed'), []);
      proxy.rule = () => undefined;
      await choice(tab, 'failed', 'retry');
      await press(tab);
      await claimed(tab);
    });
  },

  async 'a restart of the service during a check is not visible'(stage) {
    const { service, tab } = stage;
    await visit(stage, element(stage));
    await (await tab.$('#claim')).click();
    await press(tab, ['first']);
    await windowAt(tab, 'second');
    await service.pause();
    await service.resume();
    await press(tab, ['second']);
    await claimed(tab);
    assert.deepEqual(await eventsOf(tab, 'error'), []);
  },
};

export const moreConnection = {
  async 'an unreachable service after loading offers a retry'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own, 'preload="mount" locale="fr"'));
      await untilFrame(tab);
      // The texts are the last resource that it loads.
      assert.ok(await frameWith(tab, () => performance.getEntriesByType('resource').some((one) => one.name.includes('/locales/'))));
      await new Promise((resolve) => setTimeout(resolve, 500));
      proxy.rule = () => 'drop';
      await (await tab.$('#claim')).click();
      await failed(tab, 'network', true);
      proxy.rule = () => undefined;
      await choice(tab, 'failed', 'retry');
      await press(tab);
      await claimed(tab);
    });
  },

  async 'a receipt request whose response is lost is retried'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      let requestCount = 0;
      proxy.rule = ({ url }) => (url.endsWith('/complete') && (requestCount += 1) === 1 ? 'drop' : undefined);
      await complete(tab);
      await claimed(tab);
      assert.equal(requestCount, 2);
    });
  },

  async 'a receipt that cannot be fetched is an error'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      proxy.rule = ({ url }) => (url.endsWith('/complete') ? 'drop' : undefined);
      await complete(tab);
      await failed(tab, 'network', true);
      await choice(tab, 'failed', 'close');
      assert.deepEqual(await eventsOf(tab, 'claimed'), []);
      await untilState(tab, 'failed');
    });
  },
};
