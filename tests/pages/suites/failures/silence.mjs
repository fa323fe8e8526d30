// A window that does not answer.
import assert from 'node:assert/strict';
import { choose, claimed, failed, press as choice } from '../../lib/failure.mjs';
import { complete, element, press, told, visit, windowAt } from '../../lib/quest.mjs';
import { greeted, receipt, say, standIn } from '../../lib/stand-in.mjs';
import { proxied } from './connection.mjs';

const isDocument = ({ url }) => url.startsWith('/window/v1?');

export const silence = {
  async 'a window that never comes is given up after 8 seconds, and may be tried again'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      proxy.rule = (request) => (isDocument(request) ? 'hang' : undefined);
      const began = performance.now();
      await (await tab.$('#claim')).click();
      assert.equal(await failed(tab, 'window_blocked', true), '');
      assert.ok(performance.now() - began > 7900);
      proxy.rule = () => undefined;
      await choose(tab, 'Try again');
      await press(tab);
      await claimed(tab);
    });
  },

  async 'a window that comes at the second try needs nobody'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own, 'collect="open"'));
      let asked = 0;
      proxy.rule = (request) => (isDocument(request) && (asked += 1) === 1 ? { status: 502, body: 'bad gateway' } : undefined);
      await (await tab.$('#claim')).click();
      await windowAt(tab, 'first');
      assert.equal(asked, 2);
      assert.deepEqual(await told(tab, 'error'), []);
    });
  },

  async 'a window that is replaced by another document ends the check'(stage) {
    const { tab } = stage;
    await visit(stage, element(standIn(stage)));
    await (await tab.$('#claim')).click();
    const frame = await greeted(tab);
    await frame.evaluate(() => void setTimeout(() => location.reload(), 20));
    await failed(tab, 'window_blocked', true);
    await choose(tab, 'Try again');
    await say(tab, { t: 'done', receipt: receipt() });
    await claimed(tab);
  },
};

export const longSilence = {
  async 'a receipt that is waited for in vain is an error after half a minute'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own));
      proxy.rule = ({ url }) => (url.endsWith('/complete') ? 'hang' : undefined);
      await complete(tab);
      await tab.waitForFunction(() => window.events.some((one) => one.name === 'error'), { timeout: 45000 });
      await failed(tab, 'network', true);
      await choice(tab, 'failed', 'close');
    });
  },
};
