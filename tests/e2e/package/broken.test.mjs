// getVerdict with a service that is slow, overloaded, closed, or not a Voight service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf, verdictOf } from './lib/calls.mjs';
import { CONTEXT, Service, error, finding, json, signer, valid } from './lib/service.mjs';

const { receipt } = signer();
/** Time limit of a call: short enough to expire in a test, and long enough for an answer on a busy machine. */
const SHORT = { timeoutMs: 2500 };
/** Pause that exceeds the time limit, so that the call fails without waiting. */
const LATER = { 'retry-after': '60' };
const HTML = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' };
const service = Service.forEach();
const ask = (more) => verdictOf(service, receipt(), more);

/** Returns the error of a call, and the duration of the call in milliseconds. */
async function refusal(more) {
  const began = performance.now();
  const error = await refusalOf(ask(more));
  return { error, took: performance.now() - began };
}

const keys = (path) => new Set(service.asked.filter((one) => one.path.endsWith(path)).map((one) => one.headers['idempotency-key']));

test('a temporary failure is retried with the same idempotency key', async () => {
  const cut = (request) => request.socket.destroy();
  service.verify = [error(503, 'UNAVAILABLE'), cut, valid()];
  service.lookup = [{ ...HTML, status: 502 }, error(409, 'IDEMPOTENCY_CONFLICT'), finding(true, 0.9)];
  assert.equal((await ask()).verdict, 'bot');
  assert.equal(service.paths.length, 6);
  assert.deepEqual([keys('verify').size, keys('eoa').size], [1, 1]);
});

test('Retry-After is respected within the timeout', async () => {
  service.lookup = [error(429, 'RATE_LIMITED', { 'retry-after': '1' }), finding(false, 0.7)];
  const began = performance.now();
  assert.equal((await ask()).verdict, 'human');
  assert.ok(performance.now() - began >= 1000);

  service.lookup = error(429, 'RATE_LIMITED', LATER);
  const { error: limited, took } = await refusal();
  assert.deepEqual([limited.code, limited.status, limited.retryable, limited.reference], ['rate_limited', 429, true, 'req-1']);
  assert.ok(took < 5000, `${took} ms of 10,000`);
});

test('a permanent failure is not retried', async () => {
  const cases = [[402, 'QUOTA_EXCEEDED', false], [401, 'UNAUTHORIZED', false], [403, 'CLIENT_SUSPENDED', false], [500, 'INTERNAL_ERROR', true]];
  for (const [status, code, retryable] of cases) {
    service.asked = [];
    service.lookup = error(status, code);
    const { error: refused } = await refusal();
    assert.deepEqual([refused.code, refused.status, refused.retryable], [code.toLowerCase(), status, retryable]);
    assert.deepEqual(service.paths, ['/api/v1/receipts/verify', '/api/v1/users/eoa']);
  }
});

test('an unreachable service fails closed', async () => {
  service.verify = error(503, 'UNAVAILABLE', LATER);
  assert.equal((await refusal()).error.code, 'unavailable');
  service.verify = { ...HTML, status: 504 };
  assert.equal((await refusal(SHORT)).error.code, 'unavailable');
  service.verify = (request) => request.socket.destroy();
  const { error: cut } = await refusal(SHORT);
  assert.deepEqual([cut.code, cut.status, cut.retryable], ['unreachable', 0, true]);
  assert.equal((await refusal({ ...SHORT, baseUrl: 'http://127.0.0.1:1' })).error.code, 'unreachable');
});

test('a service that hangs before the head or in the body times out', async () => {
  for (const hang of [() => {}, (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":')]) {
    service.verify = hang;
    const { error: silent, took } = await refusal({ timeoutMs: 1000 });
    assert.equal(silent.code, 'unreachable');
    assert.ok(took < 3500, `${took} ms of 1,000`);
  }
});

test('a response that is not from the service is named in the error', async () => {
  const otherBodies = [
    HTML,
    { ...HTML, status: 404 },
    { ...HTML, headers: { 'content-type': 'application/json' } },
    { ...valid(), headers: { 'content-type': 'text/plain' } },
    json(200, null),
    json(200, { success: true, data: { status: 'fine' } }),
    json(200, []),
    json(204, ''),
  ];
  for (const other of otherBodies) {
    service.verify = { ...other, body: other.status === 204 ? '' : other.body };
    assert.equal((await refusal()).error.code, 'bad_answer', JSON.stringify(other));
  }
  service.verify = valid();
  service.lookup = json(200, { success: true, data: { isBot: 'no', confidence: { score: 1 } } });
  assert.equal((await refusal()).error.code, 'bad_answer');
});

test('a redirect is not followed, so that the key is not sent to another host', async () => {
  const thief = new Service();
  await thief.start();
  try {
    for (const status of [301, 302, 307, 308]) {
      service.verify = { status, headers: { location: `${thief.url}/api/v1/receipts/verify` }, body: '' };
      const { error: refused } = await refusal({ failOpen: true });
      assert.equal(refused.code, 'bad_answer');
      assert.match(refused.message, /redirects/);
    }
    assert.deepEqual(thief.asked, []);
  } finally {
    await thief.stop();
  }
});

test('failOpen applies only to outages and is reported in the result', async () => {
  for (const [status, code] of [[402, 'QUOTA_EXCEEDED'], [429, 'RATE_LIMITED'], [500, 'INTERNAL_ERROR'], [503, 'UNAVAILABLE']]) {
    service.lookup = error(status, code, LATER);
    const { reason, receipt: redeemed, ...answer } = await ask({ failOpen: true });
    assert.deepEqual(answer, { verdict: 'unknown', score: 0, failedOpen: true });
    assert.equal(reason.code, code.toLowerCase());
    assert.equal(redeemed.contextId, CONTEXT);
  }
  const away = await ask({ ...SHORT, failOpen: true, baseUrl: 'http://127.0.0.1:1' });
  assert.deepEqual([away.failedOpen, away.receipt, away.reason.code], [true, null, 'unreachable']);

  service.verify = json(200, { success: true, data: { status: 'used' } });
  assert.equal((await refusal({ failOpen: true })).error.code, 'receipt_used');
  assert.equal((await refusal({ failOpen: true, receipt: '' })).error.code, 'receipt_missing');
  service.verify = error(401, 'UNAUTHORIZED');
  assert.equal((await refusal({ failOpen: true })).error.code, 'unauthorized');
  service.verify = HTML;
  assert.equal((await refusal({ failOpen: true })).error.code, 'bad_answer');
});
