// Wallet that is asked to sign: its origin, its delays, and the check without it.
import assert from 'node:assert/strict';
import { hide } from '../../lib/clock.mjs';
import { choose, claimed, press as choice } from '../../lib/failure.mjs';
import { element, press, eventsOf, untilState, visit, windowAt } from '../../lib/quest.mjs';
import { Wallet } from '../../lib/wallet.mjs';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const HEX = `(text) => '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')`;
/** Passes the page's own wallet to the component. */
const OWN = `<script>document.querySelector('voight-check').signMessage = (message, { address }) =>
  window.wallet.request({ method: 'personal_sign', params: [(${HEX})(message), address] });</script>`;

let seed = 0;

/** Opens the page of a new visitor whose wallet is asked to sign; `how` configures the wallet.
 * @param {any} stage @param {{own?: boolean, holder?: Wallet, wallet?: Wallet, body?: string}} [how] */
async function asked(stage, { own = false, wallet = new Wallet((seed += 1)), holder = wallet, body = '' } = {}) {
  const { service, account, tab } = stage;
  await service.command('context', 'set', account.context, '--ownership-proof', 'always');
  await wallet.enter(tab, { announced: !own });
  await visit(stage, element(stage, `eoa-address="${holder.address}"`) + (own ? OWN : '') + body);
  await (await tab.$('#claim')).click();
  return wallet;
}

/** Completes the check, and returns true if the receipt proves wallet ownership. */
async function owned({ tab }) {
  await press(tab);
  await untilState(tab, 'verified');
  return tab.evaluate(() => JSON.parse(atob(document.querySelector('voight-check').receipt.split('.')[1])).owned);
}

/** Waits for a text in the window. */
async function showsStatus({ tab }, part) {
  const frame = await windowAt(tab, 'sign');
  await frame.waitForFunction((part) => document.getElementById('status').textContent.includes(part), { timeout: 20000 }, part);
}

export const signing = {
  async 'an announced wallet (EIP-6963) signs the message with the shown code'(stage) {
    const wallet = await asked(stage);
    const frame = await windowAt(stage.tab, 'sign');
    const code = await frame.evaluate(() => document.getElementById('code').textContent);
    await choice(stage.tab, 'sign', 'signButton');
    assert.equal(await owned(stage), true);
    assert.equal(wallet.asked.length, 1);
    assert.ok(wallet.asked[0].includes(`the code ${code}.`) && wallet.asked[0].includes(wallet.address), wallet.asked[0]);
    assert.ok((await eventsOf(stage.tab, 'statechange')).some((one) => one.detail === 'sign'));
  },

  async 'a signMessage callback of the page signs'(stage) {
    const wallet = await asked(stage, { own: true });
    await choice(stage.tab, 'sign', 'signButton');
    assert.equal(await owned(stage), true);
    assert.equal(wallet.asked.length, 1);
  },

  async 'a browser that has signed is not asked again'(stage) {
    const wallet = await asked(stage);
    await choice(stage.tab, 'sign', 'signButton');
    assert.equal(await owned(stage), true);
    await stage.tab.reload();
    await stage.tab.waitForFunction(() => window.events && customElements.get('voight-check'));
    await (await stage.tab.$('#claim')).click();
    assert.equal(await owned(stage), true);
    assert.equal(wallet.asked.length, 1);
  },

  async 'a rejected signature is no error, and the check continues without ownership'(stage) {
    const wallet = new Wallet((seed += 1));
    wallet.agrees = () => false;
    await asked(stage, { wallet });
    await choice(stage.tab, 'sign', 'signButton');
    await showsStatus(stage, 'did not sign');
    await choice(stage.tab, 'sign', 'skip');
    assert.equal(await owned(stage), false);
    assert.deepEqual(await eventsOf(stage.tab, 'error'), []);
    await claimed(stage.tab);
  },

  async 'a signature of another account is reported, and the check continues without ownership'(stage) {
    await asked(stage, { own: true, holder: new Wallet((seed += 1)) });
    await choice(stage.tab, 'sign', 'signButton');
    await showsStatus(stage, 'Another account signed');
    await choice(stage.tab, 'sign', 'skip');
    assert.equal(await owned(stage), false);
  },

  async 'a wallet that renders in the page is usable'(stage) {
    const wallet = new Wallet((seed += 1));
    const { tab } = stage;
    wallet.agrees = async () => {
      await tab.evaluate(() => {
        const button = document.createElement('button');
        button.id = 'agree';
        button.textContent = 'Sign';
        button.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 99';
        document.body.append(button);
        window.agreed = new Promise((resolve) => button.addEventListener('click', resolve));
      });
      await (await tab.$('#agree')).click();
      return tab.evaluate(() => window.agreed.then(() => document.getElementById('agree').remove())).then(() => true);
    };
    await asked(stage, { wallet });
    await choice(tab, 'sign', 'signButton');
    assert.equal(await owned(stage), true);
    assert.deepEqual(await eventsOf(tab, 'cancel'), []);
  },
};

export const moreSigning = {
  async 'a signature of a contract is reported as such, and the check continues without ownership'(stage) {
    const texts = { '0x': 'is a contract', ['0x' + 'ab'.repeat(64)]: 'is a contract', ['0x' + 'ab'.repeat(1300)]: 'is a contract', '{"signature":1}': 'did not sign' };
    for (const [signature, text] of Object.entries(texts)) {
      const ownStage = { ...stage, tab: await stage.browser.newPage() };
      const body = `<script>document.querySelector('voight-check').signMessage = async () => '${signature}'</script>`;
      await asked(ownStage, { own: true, body });
      await choice(ownStage.tab, 'sign', 'signButton');
      await showsStatus(ownStage, text);
      await choice(ownStage.tab, 'sign', 'skip');
      assert.equal(await owned(ownStage), false);
      await ownStage.tab.close();
    }
  },

  async 'a visitor who rejected the signature can sign at the second request'(stage) {
    const wallet = new Wallet((seed += 1));
    wallet.agrees = () => wallet.asked.length === 2;
    await asked(stage, { wallet });
    await choice(stage.tab, 'sign', 'signButton');
    await showsStatus(stage, 'did not sign');
    await choice(stage.tab, 'sign', 'signButton');
    assert.equal(await owned(stage), true);
  },

  async 'a wallet with another account gets no request'(stage) {
    const wallet = await asked(stage, { holder: new Wallet((seed += 1)) });
    assert.equal(await owned(stage), false);
    assert.deepEqual(wallet.asked, []);
  },

  async 'a wallet that does not respond does not block the check'(stage) {
    const hanging = `<script>addEventListener('eip6963:requestProvider', () => dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: { provider: { request: () => new Promise(() => {}) } } })));</script>`;
    await asked(stage, { own: true, body: hanging + `<script>document.querySelector('voight-check').signMessage = null</script>` });
    assert.equal(await owned(stage), false);
  },

  async 'a wallet that hides the page delays the check'(stage) {
    const wallet = new Wallet((seed += 1));
    const { tab } = stage;
    wallet.agrees = async () => {
      await hide(tab, true);
      await wait(2000);
      await hide(tab, false);
      return true;
    };
    await asked(stage, { wallet });
    await choice(tab, 'sign', 'signButton');
    assert.equal(await owned(stage), true);
    assert.deepEqual(await eventsOf(tab, 'error'), []);
  },

  async 'a late signature is ignored after the window was closed'(stage) {
    const wallet = new Wallet((seed += 1));
    let agree;
    wallet.agrees = () => new Promise((resolve) => (agree = resolve));
    await asked(stage, { wallet });
    const { tab } = stage;
    await choice(tab, 'sign', 'signButton');
    await showsStatus(stage, 'Waiting for your wallet');
    while (!agree) await wait(20);
    await tab.evaluate(() => document.querySelector('voight-check').close());
    agree(true);
    await wait(200);
    assert.equal(await tab.evaluate(() => document.querySelector('voight-check').shadowRoot.querySelector('dialog').open), false);
    assert.equal((await eventsOf(tab, 'cancel')).length, 1);
    assert.equal(await tab.evaluate(() => document.activeElement.id), 'claim');
  },

  async 'a wallet that signs after 30 s completes the check'(stage) {
    const wallet = new Wallet((seed += 1));
    wallet.agrees = () => wait(30000).then(() => true);
    await asked(stage, { wallet });
    await choice(stage.tab, 'sign', 'signButton');
    await wait(30000);
    assert.equal(await owned(stage), true);
    await choose(stage.tab, 'Continue');
    await claimed(stage.tab);
  },
};
