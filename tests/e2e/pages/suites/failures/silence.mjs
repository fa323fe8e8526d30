// Window that does not respond.
import assert from 'node:assert/strict';
import { retime } from '../../lib/clock.mjs';
import { choose, claimed, failed, press as choice } from '../../lib/failure.mjs';
import { complete, element, press, eventsOf, visit, windowAt } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';
import { proxied } from '../../lib/proxy.mjs';

const isDocument = ({ url }) => url.startsWith('/window/v1?');

/** Opens a window that never loads, and asserts a minimum waiting time. @param {any} stage @param {number} least */
async function windowTimesOut({ tab, ...stage }, proxy, least) {
  await visit({ tab, ...stage }, element(stage));
  proxy.rule = (request) => (isDocument(request) ? 'hang' : undefined);
  const began = performance.now();
  await (await tab.$('#claim')).click();
  assert.equal(await failed(tab, 'window_blocked', true), '');
  assert.ok(performance.now() - began > least);
}

export const silence = {
  async 'a window whose texts do not load is in English'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      const errors = [];
      // Firefox reports the failed request itself as an error of the page.
      const isOfBrowser = (/** @type {string} */ text) => text.startsWith('Error: Cross-Origin Request Blocked');
      tab.on('pageerror', ({ stack }) => isOfBrowser(String(stack)) || errors.push(String(stack)));
      await visit(own, element(own, 'locale="fr"'));
      proxy.rule = ({ url }) => (url.includes('/locales/') ? 'drop' : undefined);
      await (await tab.$('#claim')).click();
      const frame = await windowAt(tab, 'first');
      assert.equal(await frame.$eval('#press', (node) => node.textContent), 'Press here');
      assert.equal(await frame.$eval('html', (node) => node.lang), 'en');
      assert.deepEqual(errors, []);
    });
  },

  async 'a slow step is announced to screen readers'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await retime(tab, { 5000: 300 });
      await visit(own, element(own));
      proxy.rule = ({ url }) => (url.endsWith('/evidence') ? 'hang' : undefined);
      await (await tab.$('#claim')).click();
      await press(tab, ['first']);
      const frame = await windowAt(tab, 'confirming');
      await frame.waitForFunction(() => document.getElementById('status').textContent.startsWith('This takes longer than usual'));
    });
  },

  async 'a window that does not load times out'(stage) {
    await retime(stage.tab, { 8000: 800 });
    await proxied(stage, (proxy, own) => windowTimesOut(own, proxy, 790));
  },

  async 'a component module that does not load is an error, and the next click retries'(stage) {
    const { tab } = stage;
    await retime(tab, { 8000: 800 });
    await proxied(stage, async (proxy, own) => {
      await visit(own, element(own, 'preload="open"'));
      proxy.rule = ({ url }) => (url === '/sdk/v1/dialog.js' ? 'hang' : undefined);
      for (let n = 0; n < 2; n += 1) {
        await (await tab.$('#claim')).click();
        await failed(tab, 'network', true);
        await tab.evaluate(() => document.querySelector('voight-check').reset());
      }
    });
  },

  async 'a window that navigates fails the check'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).click();
    const frame = await connectedFake(tab);
    await frame.evaluate(() => void setTimeout(() => location.reload(), 20));
    await failed(tab, 'window_blocked', true);
    await choose(tab, 'Try again');
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await claimed(tab);
  },
};

export const moreSilence = {
  async 'a window that fails to load once is reloaded'(stage) {
    await proxied(stage, async (proxy, own) => {
      const { tab } = own;
      await visit(own, element(own, 'preload="open"'));
      let requestCount = 0;
      proxy.rule = (request) => (isDocument(request) && (requestCount += 1) === 1 ? { status: 502, body: 'bad gateway' } : undefined);
      await (await tab.$('#claim')).click();
      await windowAt(tab, 'first');
      assert.equal(requestCount, 2);
      assert.deepEqual(await eventsOf(tab, 'error'), []);
    });
  },

  async 'a window that does not load times out after 8 s and can be retried'(stage) {
    await proxied(stage, async (proxy, own) => {
      await windowTimesOut(own, proxy, 7900);
      proxy.rule = () => undefined;
      await choose(own.tab, 'Try again');
      await press(own.tab);
      await claimed(own.tab);
    });
  },

  async 'a receipt that does not arrive is an error after 30 s'(stage) {
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
