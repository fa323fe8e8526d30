// Receipts, sessions and signatures of other visitors or origins.
import assert from 'node:assert/strict';
import { infected } from '../../lib/attack.mjs';
import { passes, untilTold } from '../../lib/hosts.mjs';
import { claims, redeem } from '../../lib/receipt.mjs';
import { ADDRESS, claim, element, page, press, told, windowAt } from '../../lib/quest.mjs';
import { otherName } from '../../lib/site.mjs';
import { Wallet } from '../../lib/wallet.mjs';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

/** Completes a check and returns its receipt. @param {any} stage */
async function receipt(stage) {
  await stage.tab.goto(page(stage, element(stage)));
  await passes(stage);
  const [{ detail }] = await told(stage.tab, 'verified');
  return detail;
}

/** Completes a check with a wallet whose signature is rejected first; then continues without it. @param {any} stage @param {Wallet} wallet */
async function refusedToBind({ tab }, wallet) {
  await (await claim(tab)).click();
  const window = await windowAt(tab, 'sign');
  const choose = (name) => window.$eval(`[name=${name}]`, (button) => button.click());
  await choose('signButton');
  while (wallet.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await window.waitForSelector('[name=signButton]');
  await choose('skip');
  await press(tab);
  await untilTold(tab, 'verified');
}

/** Creates a context that asks every visitor's wallet. @param {any} stage @param {string} name */
async function asking(stage, name) {
  const account = await stage.service.account(name);
  await stage.service.command('context', 'set', account.context, '--ownership-proof', 'always');
  return { ...stage, account };
}

export const receipts = {
  async 'a receipt shown to another backend'(stage) {
    const { service, site, account } = stage;
    const token = await receipt(stage);
    const other = await service.account('other');
    assert.deepEqual(await redeem(service, other.key, token), { status: 'forged' }, 'and nothing of whose it is');
    const said = await redeem(service, account.key, token);
    assert.deepEqual([said.status, said.origin, said.context_id], ['valid', site.origin, account.context]);
    assert.doesNotMatch(JSON.stringify([said, await claims(service, token)]), /bot|human|score/i, 'nothing of what was found');
  },

  async 'a receipt shown twice'(stage) {
    const { service, account } = stage;
    const token = await receipt(stage);
    const said = await Promise.all([1, 2, 3].map(() => redeem(service, account.key, token)));
    assert.deepEqual(said.map(({ status }) => status).sort(), ['used', 'used', 'valid']);
  },

  async 'a receipt that was changed'(stage) {
    const { service, site, account } = stage;
    const [head, body, signature] = (await receipt(stage)).split('.');
    const said = JSON.parse(Buffer.from(body, 'base64url').toString());
    const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const change of [{ origin: otherName(site.origin) }, { address: OTHER }, { exp: said.exp + 1 }, { owned: true }, { pinned: true }]) {
      const token = `${head}.${encode({ ...said, ...change })}.${signature}`;
      await assert.rejects(claims(service, token), /forged/, JSON.stringify(change));
      assert.deepEqual(await redeem(service, account.key, token), { status: 'forged' }, JSON.stringify(change));
    }
  },

  async 'a session of another address'(stage) {
    const { tab, service, account } = stage;
    const { session } = await service.api(account.key, 'POST', '/api/v1/sessions', { eoa_address: OTHER, context_id: account.context });
    await tab.goto(page(stage, element(stage, `session="${session}"`)));
    await (await claim(tab)).click();
    await untilTold(tab, 'error');
    const [{ detail }] = await told(tab, 'error');
    assert.deepEqual([detail.code, detail.retryable], ['session_invalid', false]);
  },

  async 'a context of another client'(stage) {
    const { tab, service, site } = stage;
    const victim = await service.account('victim');
    await service.command('client', 'origins', 'victim', '--set', 'https://victim.example');
    await tab.goto(page(stage, element(stage, `context-id="${victim.context}"`)));
    await (await claim(tab)).click();
    await untilTold(tab, 'error');
    const [{ detail }] = await told(tab, 'error');
    assert.equal(detail.code, 'origin_not_allowed');
    await assert.rejects(service.api(stage.account.key, 'GET', `/api/v1/users/eoa?eoa_address=${ADDRESS}&context_id=${victim.context}`));
    assert.notEqual(site.origin, 'https://victim.example');
  },

  async 'a page that lets the wallet sign another text'(stage) {
    const asked = await asking(stage, 'texts');
    const wallet = new Wallet();
    await wallet.enter(stage.tab, { announced: false });
    const swap = `addEventListener('load', () => {
      const text = '0x' + [...new TextEncoder().encode('Sell everything')].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      document.querySelector('voight-check').signMessage = () => window.wallet.request({ method: 'personal_sign', params: [text] });
    });`;
    await stage.tab.goto(infected(asked, swap, '', `eoa-address="${wallet.address}"`));
    await refusedToBind(stage, wallet);
    const [{ detail }] = await told(stage.tab, 'verified');
    assert.equal((await claims(stage.service, detail)).owned, false);
  },

  async 'a wallet that holds another address'(stage) {
    const asked = await asking(stage, 'holders');
    const wallet = new Wallet(2);
    await wallet.enter(stage.tab, { announced: false });
    const hand = `addEventListener('load', () => {
      const hex = (text) => '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      document.querySelector('voight-check').signMessage = (message) => window.wallet.request({ method: 'personal_sign', params: [hex(message)] });
    });`;
    await stage.tab.goto(infected(asked, hand));
    await refusedToBind(stage, wallet);
    const [{ detail }] = await told(stage.tab, 'verified');
    assert.equal((await claims(stage.service, detail)).owned, false);
  },
};
