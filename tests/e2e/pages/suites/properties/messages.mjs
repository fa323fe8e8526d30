// Messages in the console for the page's developer, the attribute `debug`, and the code on error screens.
import assert from 'node:assert/strict';
import { claimed } from '../../lib/failure.mjs';
import { ADDRESS, element, eventsOf, untilState, visit } from '../../lib/quest.mjs';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';
import { otherName } from '../../lib/site.mjs';

/** Records the messages of a page in its console. @param {import('puppeteer-core').Page} tab @param {string} type */
function messagesOf(tab, type) {
  const texts = [];
  tab.on('console', (message) => message.type() === type && message.text().includes('voight-check') && texts.push(message.text()));
  return texts;
}

/** Waits for a message with this code, and asserts that it names the page of the documentation. @param {string[]} texts @param {string} code */
async function written(texts, code, service) {
  const start = `voight-check: ${code}`;
  for (const end = Date.now() + 5000; Date.now() < end && !texts.some((text) => text.startsWith(start)); ) await new Promise((resolve) => setTimeout(resolve, 20));
  const text = texts.find((text) => text.startsWith(start));
  assert.ok(text, `${code}: ${texts}`);
  const anchor = /^(attribute|nested|wallet|window_silent)/.test(code) ? 'messages-in-the-console' : 'errors';
  assert.ok(text.includes(`${service.url}/docs/reference/component.html#${anchor}`), text);
  return text;
}

/** Attributes of a page, and the codes of its mistakes as soon as it is there. */
const MISTAKES = [
  [`eoaAddress="${ADDRESS}" eoa-address=""`, 'attribute_misspelled (eoaaddress)'],
  ['contextId="spring.1"', 'attribute_misspelled (contextid)'],
  ['originSite="https://quest.example"', 'attribute_misspelled (originsite)'],
  ['baseUrl="https://voight.example"', 'attribute_misspelled (baseurl)'],
  ['replayClick="false"', 'attribute_misspelled (replayclick)'],
  ['confirm="ask()"', 'attribute_ignored (confirm)'],
  ['signMessage="sign()"', 'attribute_ignored (signmessage)'],
  ['theme="black"', 'attribute_invalid (theme="black")'],
  ['preload="none"', 'attribute_invalid (preload="none")'],
];

/** Attributes of a page, and the codes of its errors after a click. */
const ERRORS = [
  ['eoa-address=""', 'wallet_required'],
  ['eoa-address="0x12"', 'address_invalid'],
  ['context-id=""', 'context_missing'],
  ['base-url="voight.example"', 'base_url_invalid'],
  ['locale="not a tag" context-id=""', 'attribute_invalid (locale="not a tag")'],
];

export const messages = {
  async 'a mistake in an attribute is written at once'(stage) {
    const { tab, service } = stage;
    const texts = messagesOf(tab, 'error');
    for (const [attributes, code] of MISTAKES) {
      await visit(stage, element(fakeWindow(stage), attributes));
      await written(texts, code, service);
      assert.equal(texts.splice(0).length, 1, attributes);
    }
    const inner = element(fakeWindow(stage), 'id="inner"');
    await visit(stage, element(fakeWindow(stage)).replace(/<button.*button>/, inner));
    await written(texts, 'nested', service);
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await claimed(tab);
    const verifiedOrigins = (await eventsOf(tab, 'verified')).map((one) => one.of);
    assert.deepEqual(verifiedOrigins, [''], 'the outer element alone');
  },

  async 'correct attributes write nothing'(stage) {
    const texts = messagesOf(stage.tab, 'error');
    await visit(stage, element(fakeWindow(stage), 'theme="dark" preload="mount" locale="pt-BR" replay-click="false" disabled data-baseurl="x"'));
    await visit(stage, element(fakeWindow(stage), 'theme="" preload="" locale=""'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(texts, []);
  },

  async 'an error is written with its remedy'(stage) {
    const { tab, service } = stage;
    const texts = messagesOf(tab, 'error');
    for (const [attributes, code] of ERRORS) {
      await visit(stage, element(fakeWindow(stage), attributes).replace(/base-url="http[^"]*" (?=.*base-url)/, ''));
      await (await tab.$('#claim')).click();
      await written(texts, code, service);
      texts.splice(0);
    }
  },

  async 'a service that does not answer, or is another one, is written within 3 s'(stage) {
    const { tab, site, service } = stage;
    const texts = messagesOf(tab, 'error');
    site.put('/window/v1', '<!doctype html><title>Another site</title>');
    for (const [url, code] of [['http://127.0.0.1:9', 'window_'], [otherName(site.origin), 'window_blocked'], ['http://192.0.2.1', 'window_']]) {
      await visit(stage, element({ ...stage, service: { url } }));
      const clickedAt = performance.now();
      await (await tab.$('#claim')).click();
      await written(texts, code, service);
      assert.ok(performance.now() - clickedAt < 3000, `${url}: ${performance.now() - clickedAt} ms`);
      texts.splice(0);
    }
  },

  async 'debug: events and states are logged'(stage) {
    const { tab } = stage;
    const texts = messagesOf(tab, 'info');
    for (const attributes of ['', 'debug']) {
      await visit(stage, element(fakeWindow(stage), attributes));
      await (await tab.$('#claim')).click();
      await connectedFake(tab);
      await tab.evaluate(() => document.querySelector('voight-check').close());
    }
    const loggedCodes = texts.map((text) => text.split(' ').slice(1, 3).join(' '));
    assert.deepEqual(loggedCodes, ['StateChange opening', 'StateChange idle', 'Cancel [object']);
  },
};

export const moreMessages = {
  async 'an error screen shows the code on loopback pages'(stage) {
    const { tab, site } = stage;
    const shown = async (origin) => {
      await visit(stage, element({ ...stage, service: { url: 'http://127.0.0.1:9' } }));
      await tab.goto(origin);
      await tab.waitForFunction(() => window.events && customElements.get('voight-check'));
      await (await tab.$('#claim')).click();
      await untilState(tab, 'failed');
      return tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('.note').textContent);
    };
    const blocked = 'A content blocker or the network may be in the way.';
    for (const origin of [site.origin, otherName(site.origin), site.origin.replace('127.0.0.1', 'quest.localhost')])
      assert.equal(await shown(origin), `${blocked} Reference window_blocked`, origin);
  },
};
