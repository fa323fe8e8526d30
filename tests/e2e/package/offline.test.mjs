// verifyReceipt: uses the public keys of the service, and no other endpoint.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyReceipt } from '@voight/check/server';
import { refusalOf } from './lib/calls.mjs';
import { ADDRESS, CONTEXT, Service, signer } from './lib/service.mjs';

const { jwk, receipt } = signer();
const service = Service.forEach();
beforeEach(() => void (service.keys = [jwk]));

const ask = (token, more) => verifyReceipt({ baseUrl: service.url, receipt: token, eoaAddress: ADDRESS, contextId: CONTEXT, ...more });
const refusal = async (token, more) => (await refusalOf(ask(token, more))).code;

/** Waits until the keys were fetched `count` times, and the last answer was read. */
async function fetched(count) {
  const deadline = performance.now() + 5_000;
  while (service.paths.length < count && performance.now() < deadline) await pause(10);
  await pause(100);
  assert.equal(service.paths.length, count);
}

test('a signed receipt is verified, and the keys are fetched once', async () => {
  for (let times = 0; times < 3; times += 1) {
    const verdict = await ask(receipt());
    assert.deepEqual([verdict.contextId, verdict.eoaAddress, verdict.origin, verdict.originAllowlisted, verdict.owned, verdict.test], [CONTEXT, ADDRESS, 'https://quest.example', true, false, true]);
    assert.equal(verdict.expiresAt.getTime() - verdict.issuedAt.getTime(), 600_000);
  }
  assert.deepEqual(service.paths, ['/.well-known/voight-keys.json']);
});

test('a receipt of an unknown key fetches the keys again, at most once in 30 s', async () => {
  await ask(receipt());
  const [next, made] = [signer('key-2'), signer('key-3')];
  service.keys = [next.jwk, { ...jwk, retired_at: new Date().toISOString() }];
  await ask(next.receipt());
  await ask(receipt());
  for (let times = 0; times < 5; times += 1) assert.equal(await refusal(made.receipt()), 'receipt_forged');
  await fetched(2);
  const { now } = Date;
  try {
    Date.now = () => now() + 31_000;
    assert.equal(await refusal(made.receipt()), 'receipt_forged');
  } finally {
    Date.now = now;
  }
  await fetched(3);
});

test('a retired key verifies receipts from before its retirement only', async () => {
  const { now } = Date;
  const [next, old, lost] = [signer('key-in-use'), signer('key-retired'), signer('key-undated')];
  const retiredAt = Math.floor(now() / 1000) - 300;
  service.keys = [next.jwk, { ...old.jwk, retired_at: new Date(retiredAt * 1000).toISOString() }, lost.jwk];
  try {
    Date.now = () => now() + 120_000;
    await ask(next.receipt());
    await ask(old.receipt({ iat: retiredAt }));
    await ask(old.receipt({ iat: retiredAt + 59 }));
    assert.equal(await refusal(old.receipt({ iat: retiredAt + 61 })), 'receipt_forged');
    assert.equal(await refusal(lost.receipt({ iat: retiredAt })), 'receipt_forged');
    assert.equal(await refusal(old.receipt({ iat: undefined })), 'receipt_forged');
  } finally {
    Date.now = now;
  }
});

test('keys are refreshed in the background after five minutes; if that fails, the cached keys remain', async () => {
  const { now } = Date;
  const [old, next] = [signer('key-old'), signer('key-new')];
  service.keys = [old.jwk];
  await ask(old.receipt());
  service.keys = [next.jwk, { ...old.jwk, retired_at: new Date().toISOString() }];
  try {
    Date.now = () => now() + 299_000;
    await ask(old.receipt());
    await fetched(1);
    Date.now = () => now() + 301_000;
    await ask(old.receipt());
    await fetched(2);
    assert.equal(await refusal(old.receipt()), 'receipt_forged');
    await ask(next.receipt());
    service.answers['/.well-known/voight-keys.json'] = { status: 200, headers: { 'content-type': 'text/html' }, body: 'Welcome' };
    Date.now = () => now() + 700_000;
    await ask(next.receipt());
    await fetched(3);
    await ask(next.receipt());
  } finally {
    Date.now = now;
  }
});

test('a modified receipt is forged', async () => {
  const [head, payload, signature] = receipt().split('.');
  const otherSigner = signer();
  const text = Buffer.from(payload, 'base64url').toString().replace('"owned":false', '"owned":true');
  const forgedReceipts = [
    `${head}.${Buffer.from(text).toString('base64url')}.${signature}`,
    `${head}.${payload}.${signature.split('').reverse().join('')}`,
    `${head}.${payload}.AA`,
    otherSigner.receipt(),
    receipt({}, { alg: 'none' }),
    receipt({}, { alg: 'HS256' }),
    receipt({}, { typ: 'head+jwt' }),
    receipt({}, { kid: 'constructor' }),
  ];
  for (const token of forgedReceipts) assert.equal(await refusal(token), 'receipt_forged', token);
});

test('an expired receipt, or one for another address or context, is rejected', async () => {
  assert.equal(await refusal(receipt({ exp: Math.floor(Date.now() / 1000) - 1 })), 'receipt_expired');
  assert.equal(await refusal(receipt({ exp: undefined })), 'receipt_expired');
  assert.equal(await refusal(receipt(), { contextId: 'summer' }), 'receipt_mismatch');
  assert.equal(await refusal(receipt(), { eoaAddress: `0x${'1'.repeat(40)}` }), 'receipt_mismatch');
  assert.equal(await refusal(undefined), 'receipt_missing');
});

test('failed fetches of keys are retried, and the cached keys remain', async () => {
  const broken = () =>
    (service.answers['/.well-known/voight-keys.json'] = { status: 200, headers: { 'content-type': 'text/html' }, body: 'Welcome' });
  broken();
  assert.equal(await refusal(receipt()), 'bad_answer');
  service.keys = [jwk];
  await ask(receipt());
  broken();
  const { now } = Date;
  try {
    Date.now = () => now() + 31_000;
    assert.equal(await refusal(signer('key-9').receipt()), 'bad_answer');
    await ask(receipt());
  } finally {
    Date.now = now;
  }
});
