// getVerdict with a service that answers by the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf, verdictOf } from './lib/calls.mjs';
import { ADDRESS, CONTEXT, Service, KEY, finding, json, signer, valid } from './lib/service.mjs';

const { receipt } = signer();
const service = Service.forEach();
const ask = (more) => verdictOf(service, receipt(), more);
const refusal = (more) => refusalOf(ask(more));

test('a verdict is a human, a bot or unknown', async () => {
  for (const [isBot, score, verdict] of [[false, 0.7, 'human'], [true, 0.9, 'bot'], [false, 0, 'unknown'], [true, 0, 'bot'], [false, 0.01, 'human']]) {
    service.lookup = finding(isBot, score);
    const { receipt: redeemed, ...answer } = await ask();
    assert.deepEqual(answer, { verdict, score, failedOpen: false });
    assert.equal(redeemed.eoaAddress, ADDRESS);
    assert.deepEqual(redeemed.expiresAt, new Date('2026-11-22T03:10:00Z'));
  }
});

test('getVerdict redeems the receipt, then looks up the address', async () => {
  const token = receipt();
  await ask({ receipt: token, eoaAddress: ADDRESS.toUpperCase().replace('0X', '0x') });
  const [first, second] = service.asked;
  assert.deepEqual([first.method, first.path, first.body], ['POST', '/api/v1/receipts/verify', JSON.stringify({ receipt: token })]);
  assert.equal(first.headers['content-type'], 'application/json');
  assert.deepEqual([second.method, second.path], ['GET', '/api/v1/users/eoa']);
  assert.deepEqual(second.query, { eoa_address: ADDRESS, context_id: CONTEXT });
  for (const { headers } of service.asked) assert.equal(headers['x-api-key'], KEY);
});

test('each call without an idempotency key generates one', async () => {
  const token = receipt();
  for (const more of [{}, {}, { idempotencyKey: 'claim-7' }]) await ask({ receipt: token, ...more });
  const keys = service.asked.map((one) => one.headers['idempotency-key']);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[0], keys[2]);
  assert.deepEqual(keys.slice(4), ['claim-7', 'claim-7']);
});

test('an invalid receipt is rejected without a lookup', async () => {
  for (const status of ['used', 'expired', 'forged']) {
    service.verify = json(200, { success: true, data: { status } });
    const { code, retryable } = await refusal();
    assert.deepEqual([code, retryable], [`receipt_${status}`, false]);
  }
  assert.ok(!service.paths.includes('/api/v1/users/eoa'));
});

test('a missing receipt is rejected without a request', async () => {
  for (const nothing of [undefined, null, '', {}, { $ne: null }, 7, ['a.b.c']]) {
    assert.equal((await refusal({ receipt: nothing })).code, 'receipt_missing');
  }
  for (const made of ['x', 'a.b', 'a.b.c', 'bnVsbA.bnVsbA.c', `${'a'.repeat(3000)}.b.c`, 'a.b.c\r\nx: y']) {
    assert.equal((await refusal({ receipt: made })).code, 'receipt_forged', made);
  }
  assert.deepEqual(service.asked, []);
});

test('a receipt for another address or context is rejected before it is redeemed', async () => {
  const otherAddress = `0x${'1'.repeat(40)}`;
  assert.equal((await refusal({ eoaAddress: otherAddress })).code, 'receipt_mismatch');
  assert.equal((await refusal({ contextId: 'summer.01kanc5xt6f3vq0d9g8m2y7rwb' })).code, 'receipt_mismatch');
  assert.deepEqual(service.asked, []);
  service.verify = valid({ eoa_address: otherAddress });
  assert.equal((await refusal()).code, 'receipt_mismatch');
  service.verify = valid({ context_id: 'summer' });
  assert.equal((await refusal()).code, 'receipt_mismatch');
  assert.ok(!service.paths.includes('/api/v1/users/eoa'));
});

test('an invalid argument is named in the error', async () => {
  const wrong = {
    baseUrl: [undefined, '', 'voight.example', 'ftp://voight.example'],
    apiKey: [undefined, '', ADDRESS, 'vgt_live_\n'],
    eoaAddress: [undefined, '', CONTEXT, `${ADDRESS}0`],
    contextId: [undefined, '', 7],
    timeoutMs: [0, -1, NaN],
    idempotencyKey: ['', 'a b', 'a'.repeat(256), 'a\n'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      if (value === undefined && name === 'timeoutMs') continue;
      const { code, message } = await refusal({ [name]: value });
      assert.equal(code, 'invalid_argument', `${name} ${value}`);
      assert.match(message, new RegExp(`^${name} must be `));
    }
  }
  assert.deepEqual(service.asked, []);
});
