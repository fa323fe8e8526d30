// Loading of the window, interception and repetition of the click, and appearance and language of the dialog.
import assert from 'node:assert/strict';
import { complete, element, eventsOf, untilState, visit } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, received, sendFromFake } from '../../lib/fake-window.mjs';

/** Returns true if the frame exists. @param {import('puppeteer-core').Page} tab */
const isLoaded = (tab) => tab.evaluate(() => Boolean(document.querySelector('voight-check').shadowRoot.querySelector('iframe')));
const untilLoaded = (tab) => tab.waitForFunction(() => document.querySelector('voight-check').shadowRoot.querySelector('iframe'));
/** Waits long enough for a module and a frame to load. */
const loadingPause = () => new Promise((resolve) => setTimeout(resolve, 300));
const panel = (tab) => tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('.panel').innerText);

export const modes = {
  async 'preload: the first sign of intent loads the window'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage));
    await loadingPause();
    assert.equal(await isLoaded(tab), false);
    await (await tab.$('#claim')).focus();
    await untilLoaded(tab);
    assert.deepEqual(await eventsOf(tab), []);
  },

  async 'preload: `mount` loads it at once, and once the context is known'(stage) {
    const { tab, account } = stage;
    await visit(stage, element(stage, 'preload="mount"'));
    await untilLoaded(tab);
    await visit(stage, element(stage, 'preload="mount" context-id=""'));
    await loadingPause();
    assert.equal(await isLoaded(tab), false);
    await tab.evaluate((context) => (document.querySelector('voight-check').contextId = context), account.context);
    await untilLoaded(tab);
  },

  async 'preload: a window that is loaded receives the click in its counts'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage)));
    await (await tab.$('#claim')).hover();
    await untilLoaded(tab);
    await (await tab.$('#claim')).click();
    const [{ hostCounts }] = await received(tab);
    assert.deepEqual([hostCounts.down, hostCounts.up, hostCounts.click, hostCounts.untrusted], [1, 1, 1, 0]);
  },

  async 'preload: `open` waits for the click'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'preload="open"'));
    await (await tab.$('#claim')).focus();
    await (await tab.$('#claim')).hover();
    await loadingPause();
    assert.equal(await isLoaded(tab), false);
    await (await tab.$('#claim')).click();
    const [{ hostCounts }] = await received(tab);
    assert.equal(hostCounts.click, 0, 'counting began after the click');
  },

  async 'disabled: clicks reach the button without a check'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage, 'disabled'));
    await (await tab.$('#claim')).click();
    await loadingPause();
    assert.deepEqual(await eventsOf(tab), [{ name: 'claimed' }]);
    assert.equal(await isLoaded(tab), false);
    await tab.evaluate(() => (document.querySelector('voight-check').disabled = false));
    await (await tab.$('#claim')).click();
    await untilState(tab, 'press');
  },

  async 'replayClick: `false` does not repeat the click'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'replay-click="false"'));
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await untilState(tab, 'verified');
    await tab.waitForFunction(() => !document.querySelector('voight-check').shadowRoot.querySelector('dialog').open);
    assert.deepEqual(await eventsOf(tab, 'claimed'), []);
  },

  async 'theme: an open window follows'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'theme="light"'));
    await (await tab.$('#claim')).click();
    const look = () => tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('dialog').dataset.theme);
    await connectedFake(tab);
    assert.equal(await look(), 'light');
    await tab.evaluate(() => (document.querySelector('voight-check').theme = 'dark'));
    assert.equal(await look(), 'dark');
    assert.deepEqual((await received(tab)).slice(1).map(({ t, theme }) => [t, theme]), [['theme', 'dark']]);
    await tab.evaluate(() => (document.querySelector('voight-check').theme = null));
    assert.equal(await look(), 'auto');
  },

  async 'labels: texts of the page are shown as text'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage, 'context-id=""'));
    const labels = { declined: 'Nothing for you <b>today</b>', close: 'Back', title: 'My check' };
    await tab.evaluate((labels) => (document.querySelector('voight-check').labels = labels), labels);
    await (await tab.$('#claim')).click();
    await untilState(tab, 'failed');
    const text = await panel(tab);
    assert.ok(text.includes(labels.declined) && text.includes('Back'), text);
    const name = await tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('dialog').ariaLabel);
    assert.equal(name, 'My check');
  },

  async 'session: the backend vouches for the address'(stage) {
    const { tab, service, account } = stage;
    const address = '0x' + '5'.repeat(40);
    const { session } = await service.api(account.key, 'POST', '/api/v1/sessions', { context_id: account.context, eoa_address: address });
    await visit(stage, element(stage, `eoa-address="${address}" session="${session}"`));
    await complete(tab);
    await untilState(tab, 'verified');
    const claims = await tab.evaluate(() => JSON.parse(atob(document.querySelector('voight-check').receipt.split('.')[1])));
    assert.equal(claims.owned, true);
  },
};
