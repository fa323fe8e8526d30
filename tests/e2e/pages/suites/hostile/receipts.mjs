// Receipts, sessions and signatures of other visitors or origins.
import assert from 'node:assert/strict';
import { hostilePage } from '../../lib/attack.mjs';
import { passes, untilEvent } from '../../lib/hosts.mjs';
import { claims, redeem } from '../../lib/receipt.mjs';
import { ADDRESS, claim, element, page, press, eventsOf, windowAt } from '../../lib/quest.mjs';
import { otherName } from '../../lib/site.mjs';
import { Wallet } from '../../lib/wallet.mjs';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

/** Completes a check and returns its receipt. @param {any} stage */
async function receipt(stage) {
  await stage.tab.goto(page(stage, element(stage)));
  await passes(stage);
  const [{ detail }] = await eventsOf(stage.tab, 'verified');
  return detail;
}

/** Completes a check with a wallet whose signature is rejected first; then continues without it. @param {any} stage @param {Wallet} wallet */
async function completeWithoutOwnership({ tab }, wallet) {
  await (await claim(tab)).click();
  const window = await windowAt(tab, 'sign');
  const choose = (name) => window.$eval(`[name=${name}]`, (button) => button.click());
  await choose('signButton');
  while (wallet.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await window.waitForSelector('[name=signButton]');
  await choose('skip');
  await press(tab);
  await untilEvent(tab, 'verified');
}

/** Creates a context that asks every visitor's wallet. @param {any} stage @param {string} name */
async function requiringSignature(stage, name) {
  const account = await stage.service.account(name);
  await stage.service.command('context', 'set', account.context, '--ownership-proof', 'always');
  return { ...stage, account };
}

export const receipts = {
  async 'a receipt redeemed by another backend'(stage) {
    const { service, site, account } = stage;
    const token = await receipt(stage);
    const otherAccount = await service.account('other');
    assert.deepEqual(await redeem(service, otherAccount.key, token), { status: 'forged' }, 'the owner is not disclosed');
    const result = await redeem(service, account.key, token);
    assert.deepEqual([result.status, result.origin, result.context_id], ['valid', site.origin, account.context]);
    assert.doesNotMatch(JSON.stringify([result, await claims(service, token)]), /bot|human|score/i, 'findings are not disclosed');
  },

  async 'a receipt redeemed twice'(stage) {
    const { service, account } = stage;
    const token = await receipt(stage);
    const results = await Promise.all([1, 2, 3].map(() => redeem(service, account.key, token)));
    assert.deepEqual(results.map(({ status }) => status).sort(), ['used', 'used', 'valid']);
  },

  async 'a modified receipt'(stage) {
    const { service, site, account } = stage;
    const [head, body, signature] = (await receipt(stage)).split('.');
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
    const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const change of [{ origin: otherName(site.origin) }, { address: OTHER }, { exp: payload.exp + 1 }, { owned: true }, { pinned: true }]) {
      const token = `${head}.${encode({ ...payload, ...change })}.${signature}`;
      await assert.rejects(claims(service, token), /forged/, JSON.stringify(change));
      assert.deepEqual(await redeem(service, account.key, token), { status: 'forged' }, JSON.stringify(change));
    }
  },

  async 'a session of another address'(stage) {
    const { tab, service, account } = stage;
    const { session } = await service.api(account.key, 'POST', '/api/v1/sessions', { eoa_address: OTHER, context_id: account.context });
    await tab.goto(page(stage, element(stage, `session="${session}"`)));
    await (await claim(tab)).click();
    await untilEvent(tab, 'error');
    const [{ detail }] = await eventsOf(tab, 'error');
    assert.deepEqual([detail.code, detail.retryable], ['session_invalid', false]);
  },

  async 'a context of another client'(stage) {
    const { tab, service, site } = stage;
    const victim = await service.account('victim');
    await service.command('client', 'origins', 'victim', '--set', 'https://victim.example');
    await tab.goto(page(stage, element(stage, `context-id="${victim.context}"`)));
    await (await claim(tab)).click();
    await untilEvent(tab, 'error');
    const [{ detail }] = await eventsOf(tab, 'error');
    assert.equal(detail.code, 'origin_not_allowed');
    await assert.rejects(service.api(stage.account.key, 'GET', `/api/v1/users/eoa?eoa_address=${ADDRESS}&context_id=${victim.context}`));
    assert.notEqual(site.origin, 'https://victim.example');
  },

  async 'the page lets the wallet sign another text'(stage) {
    const signingStage = await requiringSignature(stage, 'texts');
    const wallet = new Wallet();
    await wallet.enter(stage.tab, { announced: false });
    const swap = `addEventListener('load', () => {
      const text = '0x' + [...new TextEncoder().encode('Sell everything')].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      document.querySelector('voight-check').signMessage = () => window.wallet.request({ method: 'personal_sign', params: [text] });
    });`;
    await stage.tab.goto(hostilePage(signingStage, swap, '', `eoa-address="${wallet.address}"`));
    await completeWithoutOwnership(stage, wallet);
    const [{ detail }] = await eventsOf(stage.tab, 'verified');
    assert.equal((await claims(stage.service, detail)).owned, false);
  },

  async 'a wallet that holds another address'(stage) {
    const signingStage = await requiringSignature(stage, 'holders');
    const wallet = new Wallet(2);
    await wallet.enter(stage.tab, { announced: false });
    const hand = `addEventListener('load', () => {
      const hex = (text) => '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      document.querySelector('voight-check').signMessage = (message) => window.wallet.request({ method: 'personal_sign', params: [hex(message)] });
    });`;
    await stage.tab.goto(hostilePage(signingStage, hand));
    await completeWithoutOwnership(stage, wallet);
    const [{ detail }] = await eventsOf(stage.tab, 'verified');
    assert.equal((await claims(stage.service, detail)).owned, false);
  },
};
