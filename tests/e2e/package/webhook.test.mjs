// verifyWebhook: accepts the body and the headers as each server has them. The vectors of the SDKs test the rest.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verifyWebhook } from '@voight/check/server';
import { refusalOf } from './lib/calls.mjs';

const BODY = '{"type":"invoice.paid","timestamp":"2026-11-29T12:00:00Z","data":{"number":7,"note":"é"}}';
const secret = randomBytes(32);
const keys = `whsec_${secret.toString('base64')}`;

/** Returns the headers of a request that is sent now. */
function sign(id = 'evt-1') {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${BODY}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
}

test('text, bytes and a part of a larger buffer are bodies', async () => {
  const larger = Buffer.from(`xx${BODY}yy`);
  for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY), larger.subarray(2, -2)]) {
    const { id, type, timestamp, data } = await verifyWebhook({ body, headers: sign(), keys });
    assert.deepEqual([id, type, timestamp.toISOString(), data.number, data.note], ['evt-1', 'invoice.paid', '2026-11-29T12:00:00.000Z', 7, 'é']);
  }
});

test('a parsed body is rejected before the signature is verified', async () => {
  for (const body of [JSON.parse(BODY), undefined, null, new ArrayBuffer(2)]) {
    assert.equal((await refusalOf(verifyWebhook({ body, headers: sign(), keys }))).code, 'invalid_argument');
  }
});

test('headers of fetch and of node:http are accepted', async () => {
  const lists = Object.fromEntries(Object.entries(sign()).map(([name, value]) => [name, [value, 'other']]));
  for (const headers of [new Headers(sign()), { ...sign(), host: undefined }, lists]) {
    assert.equal((await verifyWebhook({ body: BODY, headers, keys: [keys] })).id, 'evt-1');
  }
});

test('a request without headers is rejected', async () => {
  for (const headers of [{}, undefined, null, new Headers(), { ...sign(), 'webhook-id': [] }]) {
    assert.equal((await refusalOf(verifyWebhook({ body: BODY, headers, keys }))).code, 'webhook_missing');
  }
});

test('errors have no secret', async () => {
  const error = await refusalOf(verifyWebhook({ body: `${BODY} `, headers: sign(), keys }));
  assert.equal(error.code, 'webhook_forged');
  assert.ok(!`${error.stack} ${JSON.stringify(error)}`.includes(secret.toString('base64')));
});
