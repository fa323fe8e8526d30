// Effects of hostile scripts and careless markup on the page around the element.
import assert from 'node:assert/strict';
import { attacker, infected, nothingIn, until } from '../../lib/attack.mjs';
import { claimedOnce, passes, untilTold } from '../../lib/hosts.mjs';
import { claims, redeem } from '../../lib/receipt.mjs';
import { claim, complete, element, page, press, told, untilState, windowAt } from '../../lib/quest.mjs';

const MARKUP = '<img src=x onerror="window.hurt = true"><style>* { color: red }</style>';

/** Asserts that the check is completed, and its receipt is the service's. @param {any} stage @param {string} script @param {string} [body] */
async function allTheSame(stage, script, body) {
  const { tab, service, site } = stage;
  await tab.goto(infected(stage, script, body));
  await passes(stage);
  const [{ detail }] = await told(tab, 'verified');
  assert.equal((await claims(service, detail)).origin, site.origin);
  await nothingIn(stage, tab, site.origin);
}

/** Asserts that a page that breaks itself gets a named error and no receipt. @param {any} stage @param {string} script @param {string[]} codes */
async function breaksItself(stage, script, codes) {
  const { tab } = stage;
  await tab.goto(infected(stage, script));
  await (await claim(tab)).click();
  await untilTold(tab, 'error');
  const [{ detail }] = await told(tab, 'error');
  assert.ok(codes.includes(detail.code), detail.code);
  assert.deepEqual(await told(tab, 'verified'), []);
}

export const pages = {
  'polluted prototypes': (stage) =>
    allTheSame(
      stage,
      `const words = { t: 'done', receipt: 'stolen', p: 'voight/1', origin: 'https://evil.example', code: 'internal', nonce: '', session: 'x' };
       for (const [name, value] of Object.entries(words)) Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true });`,
    ),

  'an overridden postMessage': (stage) => allTheSame(stage, `window.postMessage = (...all) => hear(all, 'postMessage');`),

  'an overridden MessageChannel': (stage) =>
    breaksItself(stage, `window.MessageChannel = class { constructor() { throw new Error('mine'); } };`, ['internal', 'window_blocked', 'network']),

  'overridden random numbers': (stage) => allTheSame(stage, `crypto.getRandomValues = (bytes) => bytes.fill(7);`),

  async 'overridden customElements'(stage) {
    const { tab } = stage;
    const fake = `Object.defineProperty(window, 'customElements', { value: { get: () => undefined, define: () => hear('define', 'it') } });`;
    await tab.goto(infected(stage, fake));
    await tab.waitForFunction(() => loot.length > 0);
    await tab.click('#claim');
    await untilTold(tab, 'claimed');
    assert.equal(await tab.$eval('voight-check', (element) => element.receipt), undefined, 'a plain button: its backend gets no receipt');
  },

  async 'forged events'(stage) {
    const { tab, service, account } = stage;
    const forge = `window.forge = () => document.querySelector('voight-check').dispatchEvent(new CustomEvent('voight-verified',
      { detail: 'eyJhbGciOiJub25lIn0.eyJvcmlnaW4iOiJodHRwczovL2EuZXhhbXBsZSJ9.AAAA', bubbles: true, composed: true }));`;
    await tab.goto(infected(stage, forge));
    await claim(tab);
    await tab.evaluate(() => void window.forge());
    const [{ detail }] = await told(tab, 'verified');
    assert.equal(await tab.$eval('voight-check', (element) => element.receipt), null, 'the element has none');
    assert.deepEqual(await redeem(service, account.key, detail), { status: 'forged' });
  },

  async 'forged words of the window'(stage) {
    const { tab, service, account } = stage;
    const forge = `const Native = MessageChannel;
      window.MessageChannel = class { constructor() { return (window.channel = new Native()); } };
      window.forge = () => channel.port1.onmessage({ data: { t: 'done', receipt: 'eyJhbGciOiJub25lIn0.e30.AAAA' } });`;
    await tab.goto(infected(stage, forge));
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    await tab.evaluate(() => void window.forge());
    await untilTold(tab, 'verified');
    const [{ detail }] = await told(tab, 'verified');
    assert.deepEqual(await redeem(service, account.key, detail), { status: 'forged' }, 'a page can fool itself, not its backend');
  },

  'names that hide the document\'s own': (stage) =>
    allTheSame(
      stage,
      '',
      ['state', 'receipt', 'shadowRoot', 'origin', 'location', 'crypto', 'customElements', 'MessageChannel', 'panel', 'dialog', 'title', 'voight']
        .map((name) => `<img name="${name}" id="${name}" alt=""><form name="${name}"><input name="${name}"></form>`)
        .join(''),
    ),

  async 'markup in labels'(stage) {
    const { tab } = stage;
    const labels = `document.querySelector('voight-check').labels = new Proxy({}, { get: () => ${JSON.stringify(MARKUP)} });`;
    await tab.goto(infected(stage, `addEventListener('load', () => { ${labels} });`, '', 'context-id="not.a.context"'));
    await (await claim(tab)).click();
    await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
    assert.equal(await tab.$eval('voight-check', ({ shadowRoot }) => shadowRoot.querySelectorAll('img, dialog style').length), 0);
  },

  async 'markup in the words of a refusal'(stage) {
    const { tab } = stage;
    const decline = `addEventListener('load', () => { document.querySelector('voight-check').confirm = () => Promise.reject(${JSON.stringify(MARKUP)}); });`;
    await tab.goto(infected(stage, decline));
    await complete(tab);
    await untilState(tab, 'declined');
    const shown = await tab.$eval('voight-check', ({ shadowRoot }) => shadowRoot.querySelector('.panel p').textContent);
    assert.equal(shown, MARKUP, 'it is text');
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
  },

  async 'properties that are something else'(stage) {
    const { tab } = stage;
    await tab.goto(page(stage, element(stage, `locale="../../../admin" theme='dark"]{}*{display:none}' preload="x" session=""`)));
    await passes(stage);
  },

  'a service that is a script': async (stage) => {
    const { tab } = stage;
    const check = element(stage).replace(/base-url="[^"]*"/, 'base-url="javascript:window.hurt=1"');
    await tab.goto(page(stage, check));
    await (await claim(tab)).click();
    await untilTold(tab, 'error');
    const [{ detail }] = await told(tab, 'error');
    assert.equal(detail.code, 'base_url_invalid');
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
  },

  'a style sheet that hides the window': (stage) =>
    allTheSame(
      stage,
      '',
      '<style>body { opacity: 0.01; transform: scale(0.5); clip-path: inset(0) } iframe, dialog, ::backdrop { opacity: 0 !important; visibility: hidden !important }</style>',
    ),

  'a page that covers the window': (stage) =>
    allTheSame(
      stage,
      `setInterval(() => document.querySelector('#cover').matches(':popover-open') || document.querySelector('#cover').showPopover(), 50);`,
      '<style>#cover { inset: 0; width: 100vw; height: 100vh; background: #fff; pointer-events: none }</style><div id="cover" popover="manual">Win a prize</div>',
    ),

  async 'a page that was left and comes back'(stage) {
    const { tab, site } = stage;
    await tab.goto(page(stage, element(stage)));
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    const evil = attacker(stage, `hear(history.length, 'history'); hear(document.referrer.length, 'referrer'); hear(window.name, 'name');`);
    await tab.goto(evil);
    await until(() => tab.frames().length === 1, 'the window is gone');
    await nothingIn(stage, tab);
    await tab.goBack();
    assert.equal(new URL(tab.url()).origin, site.origin);
    await tab.evaluate(() => document.querySelector('voight-check').close());
    await (await claim(tab)).click();
    await press(tab);
    await claimedOnce(tab);
  },
};
