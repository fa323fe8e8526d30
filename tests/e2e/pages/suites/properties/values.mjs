// Properties that a page sets, and the effect of invalid ones.
import assert from 'node:assert/strict';
import { ADDRESS, element, eventsOf, untilState, visit, windowFrame } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, received } from '../../lib/fake-window.mjs';

const TEXTS = { originSite: 'https://quest.example/1', eoaAddress: ADDRESS, contextId: 'spring.1', baseUrl: 'https://check.example', theme: 'dark', locale: 'tr', preload: 'open', session: 'token' };

/** Values set on the element, and the error codes of invalid ones. */
const WRONG = [
  [{ contextId: null }, 'context_missing'],
  [{ contextId: ADDRESS, eoaAddress: 'spring.01kanc5xt6f3vq0d9g8m2y7rwb' }, 'properties_swapped'],
  [{ eoaAddress: '0x1234' }, 'address_invalid'],
  [{ eoaAddress: 'vitalik.eth' }, 'address_invalid'],
  [{ originSite: 'quest.example/1' }, 'origin_site_invalid'],
  [{ baseUrl: 'check.example' }, 'base_url_invalid'],
  [{ baseUrl: 'https://check.example/voight' }, 'base_url_invalid'],
  [{ baseUrl: 'javascript:alert(1)' }, 'base_url_invalid'],
  [{ confirm: 'yes' }, 'callback_invalid'],
  [{ signMessage: {} }, 'callback_invalid'],
];

/** Closes the dialog as the visitor can. @param {import('puppeteer-core').Page} tab */
const closed = (tab) =>
  tab.evaluate(() => {
    const dialog = document.querySelector('voight-check').shadowRoot.querySelector('dialog');
    const [close] = [...dialog.querySelectorAll('button')].slice(-1);
    close.click();
    return !dialog.open;
  });

export const values = {
  async 'every property is an attribute'(stage) {
    await visit(stage, '<voight-check></voight-check>');
    const observations = await stage.tab.evaluate((texts) => {
      const [one] = document.querySelectorAll('voight-check');
      const otherElement = document.createElement('voight-check');
      for (const [name, value] of Object.entries(texts)) {
        one[name] = value;
        otherElement.setAttribute(name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase()), value);
      }
      return Object.keys(texts).map((name) => {
        const pair = [one.getAttribute(name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())), otherElement[name]];
        one[name] = null;
        return [...pair, one[name], one.hasAttribute(name)];
      });
    }, TEXTS);
    assert.deepEqual(observations, Object.values(TEXTS).map((value) => [value, value, '', false]));
  },

  async 'flags are attributes, and properties set before the definition apply'(stage) {
    const early = `<script>
      const early = document.createElement('voight-check');
      Object.assign(early, { eoaAddress: '0x1', theme: 'light', disabled: true, debug: true, replayClick: false });
      document.body.append(early);
    </script>`;
    await visit(stage, early);
    const observations = await stage.tab.evaluate(() => {
      const element = document.querySelector('voight-check');
      const first = ['eoa-address', 'theme', 'disabled', 'debug', 'replay-click'].map((name) => element.getAttribute(name));
      element.disabled = false;
      element.replayClick = true;
      return [first, [element.hasAttribute('disabled'), element.getAttribute('replay-click'), element.replayClick]];
    });
    assert.deepEqual(observations, [['0x1', 'light', '', '', 'false'], [false, 'true', true]]);
  },

  async 'the window receives the properties of the element'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'locale="pt-BR" theme="dark" session="a-token" origin-site="http://127.0.0.1:1/x"'));
    await (await tab.$('#claim')).click();
    const [{ nonce, hostCounts, originSite, eoaAddress, contextId, session, theme }] = await received(tab);
    const values = [originSite, eoaAddress, contextId, session, theme];
    assert.deepEqual(values, ['http://127.0.0.1:1/x', ADDRESS, stage.account.context, 'a-token', 'dark']);
    const document = windowFrame(tab);
    assert.equal(new URL(document.url()).searchParams.get('locale'), 'pt-BR');
    assert.match(nonce, /^[0-9a-f]{32}$/);
    assert.ok(hostCounts.click >= 1 && Object.values(hostCounts).every(Number.isInteger), JSON.stringify(hostCounts));
  },

  async 'a missing, malformed or swapped property is a named error'(stage) {
    const { tab } = stage;
    for (const [properties, code] of WRONG) {
      await visit(stage, element(stage));
      await tab.evaluate((properties) => Object.assign(document.querySelector('voight-check'), properties), properties);
      await tab.evaluate(() => {
        window.outcome = document.querySelector('voight-check').verify().catch(({ code, retryable, reference }) => ({ code, retryable, reference }));
      });
      await untilState(tab, 'failed');
      const error = { code, retryable: false, reference: '' };
      assert.deepEqual((await eventsOf(tab, 'error')).map((one) => one.detail), [error], code);
      assert.ok(await closed(tab), code);
      assert.deepEqual(await tab.evaluate(() => window.outcome), error);
    }
  },

  async 'a page can let clicks through after an error'(stage) {
    const { tab } = stage;
    await visit(stage, element(stage, 'context-id=""'));
    await tab.evaluate(() => addEventListener('voight-error', (event) => (event.target.disabled = true)));
    await (await tab.$('#claim')).click();
    await untilState(tab, 'failed');
    assert.equal((await eventsOf(tab, 'claimed')).length, 0);
    await closed(tab);
    await (await tab.$('#claim')).click();
    assert.equal((await eventsOf(tab, 'claimed')).length, 1);
    assert.equal((await eventsOf(tab, 'error')).length, 1);
  },

  async 'a corrected property makes the next click succeed'(stage) {
    const { tab } = stage;
    await visit(stage, element(fakeWindow(stage), 'origin-site="nowhere"'));
    await (await tab.$('#claim')).click();
    await untilState(tab, 'failed');
    await closed(tab);
    await tab.evaluate(() => (document.querySelector('voight-check').originSite = location.href));
    await (await tab.$('#claim')).click();
    await connectedFake(tab);
    assert.deepEqual((await eventsOf(tab, 'statechange')).map((one) => one.detail), ['opening', 'failed', 'opening']);
  },
};
