// Effects of hostile scripts and careless markup on the page around the element.
import assert from 'node:assert/strict';
import { assertNoSecrets, attacker, hostilePage, waitFor } from '../../lib/attack.mjs';
import { claimedOnce, passes, untilEvent } from '../../lib/hosts.mjs';
import { claims, redeem } from '../../lib/receipt.mjs';
import { claim, complete, element, page, press, eventsOf, untilState, windowAt } from '../../lib/quest.mjs';

const MARKUP = '<img src=x onerror="window.hurt = true"><style>* { color: red }</style>';

/** Asserts that the check is completed, and its receipt is the service's. @param {any} stage @param {string} script @param {string} [body] */
async function completesUnaffected(stage, script, body) {
  const { tab, service, site } = stage;
  await tab.goto(hostilePage(stage, script, body));
  await passes(stage);
  const [{ detail }] = await eventsOf(tab, 'verified');
  assert.equal((await claims(service, detail)).origin, site.origin);
  await assertNoSecrets(stage, tab, site.origin);
}

/** Asserts that a page that breaks itself gets a named error and no receipt. @param {any} stage @param {string} script @param {string[]} codes */
async function failsWith(stage, script, codes) {
  const { tab } = stage;
  await tab.goto(hostilePage(stage, script));
  await (await claim(tab)).click();
  await untilEvent(tab, 'error');
  const [{ detail }] = await eventsOf(tab, 'error');
  assert.ok(codes.includes(detail.code), detail.code);
  assert.deepEqual(await eventsOf(tab, 'verified'), []);
}

export const pages = {
  'polluted prototypes': (stage) =>
    completesUnaffected(
      stage,
      `const words = { t: 'done', receipt: 'stolen', p: 'voight/1', origin: 'https://evil.example', code: 'internal', nonce: '', session: 'x' };
       for (const [name, value] of Object.entries(words)) Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true });`,
    ),

  'an overridden postMessage': (stage) => completesUnaffected(stage, `window.postMessage = (...all) => record(all, 'postMessage');`),

  'an overridden MessageChannel': (stage) =>
    failsWith(stage, `window.MessageChannel = class { constructor() { throw new Error('mine'); } };`, ['internal', 'window_blocked', 'network']),

  'overridden random numbers': (stage) => completesUnaffected(stage, `crypto.getRandomValues = (bytes) => bytes.fill(7);`),

  async 'overridden customElements'(stage) {
    const { tab } = stage;
    const fake = `Object.defineProperty(window, 'customElements', { value: { get: () => undefined, define: () => record('define', 'it') } });`;
    await tab.goto(hostilePage(stage, fake));
    await tab.waitForFunction(() => loot.length > 0);
    await tab.click('#claim');
    await untilEvent(tab, 'claimed');
    assert.equal(await tab.$eval('voight-check', (element) => element.receipt), undefined, 'a plain button: its backend gets no receipt');
  },

  async 'forged events'(stage) {
    const { tab, service, account } = stage;
    const forge = `window.forge = () => document.querySelector('voight-check').dispatchEvent(new CustomEvent('voight-verified',
      { detail: 'eyJhbGciOiJub25lIn0.eyJvcmlnaW4iOiJodHRwczovL2EuZXhhbXBsZSJ9.AAAA', bubbles: true, composed: true }));`;
    await tab.goto(hostilePage(stage, forge));
    await claim(tab);
    await tab.evaluate(() => void window.forge());
    const [{ detail }] = await eventsOf(tab, 'verified');
    assert.equal(await tab.$eval('voight-check', (element) => element.receipt), null, 'the element has none');
    assert.deepEqual(await redeem(service, account.key, detail), { status: 'forged' });
  },

  async 'forged messages of the window'(stage) {
    const { tab, service, account } = stage;
    const forge = `const Native = MessageChannel;
      window.MessageChannel = class { constructor() { return (window.channel = new Native()); } };
      window.forge = () => channel.port1.onmessage({ data: { t: 'done', receipt: 'eyJhbGciOiJub25lIn0.e30.AAAA' } });`;
    await tab.goto(hostilePage(stage, forge));
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    await tab.evaluate(() => void window.forge());
    await untilEvent(tab, 'verified');
    const [{ detail }] = await eventsOf(tab, 'verified');
    assert.deepEqual(await redeem(service, account.key, detail), { status: 'forged' }, 'a page can fool itself, not its backend');
  },

  'named elements that shadow properties of the document': (stage) =>
    completesUnaffected(
      stage,
      '',
      ['state', 'receipt', 'shadowRoot', 'origin', 'location', 'crypto', 'customElements', 'MessageChannel', 'panel', 'dialog', 'title', 'voight']
        .map((name) => `<img name="${name}" id="${name}" alt=""><form name="${name}"><input name="${name}"></form>`)
        .join(''),
    ),

  async 'markup in labels'(stage) {
    const { tab } = stage;
    const labels = `document.querySelector('voight-check').labels = new Proxy({}, { get: () => ${JSON.stringify(MARKUP)} });`;
    await tab.goto(hostilePage(stage, `addEventListener('load', () => { ${labels} });`, '', 'context-id="not.a.context"'));
    await (await claim(tab)).click();
    await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
    assert.equal(await tab.$eval('voight-check', ({ shadowRoot }) => shadowRoot.querySelectorAll('img, dialog style').length), 0);
  },

  async 'markup in the reason of a declined check'(stage) {
    const { tab } = stage;
    const decline = `addEventListener('load', () => { document.querySelector('voight-check').confirm = () => Promise.reject(${JSON.stringify(MARKUP)}); });`;
    await tab.goto(hostilePage(stage, decline));
    await complete(tab);
    await untilState(tab, 'declined');
    const panelText = await tab.$eval('voight-check', ({ shadowRoot }) => shadowRoot.querySelector('.panel p').textContent);
    assert.equal(panelText, MARKUP, 'it is text');
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
  },

  async 'properties with invalid values'(stage) {
    const { tab } = stage;
    await tab.goto(page(stage, element(stage, `locale="../../../admin" theme='dark"]{}*{display:none}' preload="x" session=""`)));
    await passes(stage);
  },

  'a javascript: URL as the service': async (stage) => {
    const { tab } = stage;
    const check = element(stage).replace(/base-url="[^"]*"/, 'base-url="javascript:window.hurt=1"');
    await tab.goto(page(stage, check));
    await (await claim(tab)).click();
    await untilEvent(tab, 'error');
    const [{ detail }] = await eventsOf(tab, 'error');
    assert.equal(detail.code, 'base_url_invalid');
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
  },

  'a style sheet hides the window': (stage) =>
    completesUnaffected(
      stage,
      '',
      '<style>body { opacity: 0.01; transform: scale(0.5); clip-path: inset(0) } iframe, dialog, ::backdrop { opacity: 0 !important; visibility: hidden !important }</style>',
    ),

  'the page covers the window': (stage) =>
    completesUnaffected(
      stage,
      `setInterval(() => document.querySelector('#cover').matches(':popover-open') || document.querySelector('#cover').showPopover(), 50);`,
      '<style>#cover { inset: 0; width: 100vw; height: 100vh; background: #fff; pointer-events: none }</style><div id="cover" popover="manual">Win a prize</div>',
    ),

  async 'navigation away from the page and back'(stage) {
    const { tab, site } = stage;
    await tab.goto(page(stage, element(stage)));
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    const evil = attacker(stage, `record(history.length, 'history'); record(document.referrer.length, 'referrer'); record(window.name, 'name');`);
    await tab.goto(evil);
    await waitFor(() => tab.frames().length === 1, 'the window is gone');
    await assertNoSecrets(stage, tab);
    await tab.goBack();
    assert.equal(new URL(tab.url()).origin, site.origin);
    await tab.evaluate(() => document.querySelector('voight-check').close());
    await (await claim(tab)).click();
    await press(tab);
    await claimedOnce(tab);
  },
};
