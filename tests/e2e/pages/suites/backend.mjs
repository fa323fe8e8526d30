// Receipts in a platform's backend, with the package's helper and the real service.
import assert from 'node:assert/strict';
import { ADDRESS, complete, element, page, untilState } from '../lib/quest.mjs';
import { modules } from '../lib/sdk.mjs';

/** Addresses with a fixed verdict in a sandbox; all others are unknown. */
const HUMAN = `0x${'1'.repeat(40)}`;
const BOT = `0x${'2'.repeat(40)}`;

/** @param {{service: import('../lib/service.mjs').Service}} stage */
const helper = async ({ service }) => import(`${await modules(service)}/server.js`);

/** Returns the receipt of a check that was completed in a page. */
async function receiptFor(stage, address) {
  const { tab } = stage;
  await tab.goto(page(stage, element(stage, `eoa-address="${address}"`)));
  await complete(tab);
  await untilState(tab, 'verified');
  return tab.evaluate(() => document.querySelector('voight-check').receipt);
}

/** Builds the input of the backend for a claim. */
const claim = ({ service, account }, receipt, eoaAddress) => ({
  baseUrl: service.url,
  apiKey: account.key,
  contextId: account.context,
  receipt,
  eoaAddress,
});

const code = (work) => work.then(() => assert.fail('it was answered'), (error) => error.code);

export const cases = {
  async 'a receipt is redeemed once, by its own client'(stage) {
    const { getVerdict, verifyReceipt } = await helper(stage);
    const receipt = await receiptFor(stage, ADDRESS);
    const ours = claim(stage, receipt, ADDRESS);
    const { key } = await stage.service.command('key', 'create', '--client', stage.account.client);
    assert.equal(await code(getVerdict({ ...ours, apiKey: key })), 'receipt_forged');
    assert.equal(await code(getVerdict({ ...ours, eoaAddress: HUMAN })), 'receipt_mismatch');
    assert.equal(await code(getVerdict({ ...ours, receipt: undefined })), 'receipt_missing');

    const { origin, expiresAt } = await verifyReceipt(ours);
    assert.equal(origin, stage.site.origin);
    const first = await getVerdict({ ...ours, idempotencyKey: 'claim-1' });
    assert.deepEqual([first.verdict, first.receipt.origin, first.receipt.test], ['bot', origin, false], 'a driven browser is a bot');
    assert.ok(Math.abs(first.receipt.expiresAt - expiresAt) < 1000);

    assert.equal(await code(getVerdict(ours)), 'receipt_used');
    assert.deepEqual(await getVerdict({ ...ours, idempotencyKey: 'claim-1' }), first);
  },

  async 'a sandbox returns each verdict'(stage) {
    const { getVerdict } = await helper(stage);
    const account = await stage.service.account('sandbox', ['--test']);
    for (const [address, verdict] of [[HUMAN, 'human'], [BOT, 'bot'], [ADDRESS, 'unknown']]) {
      const receipt = await receiptFor({ ...stage, account }, address);
      const found = await getVerdict(claim({ ...stage, account }, receipt, address));
      assert.deepEqual([found.verdict, found.score === 0, found.receipt.test], [verdict, verdict === 'unknown', true]);
    }
  },

  async 'an unreachable service is a named error, and a call succeeds after its restart'(stage) {
    const { getVerdict } = await helper(stage);
    const ours = claim(stage, await receiptFor(stage, ADDRESS), ADDRESS);
    await stage.service.pause();
    assert.equal(await code(getVerdict({ ...ours, timeoutMs: 1000 })), 'unreachable');
    const open = await getVerdict({ ...ours, timeoutMs: 1000, failOpen: true });
    assert.deepEqual([open.verdict, open.failedOpen, open.reason.code], ['unknown', true, 'unreachable']);
    const verdictPromise = getVerdict({ ...ours, timeoutMs: 20000 });
    await stage.service.resume();
    assert.equal((await verdictPromise).failedOpen, false);
  },
};
