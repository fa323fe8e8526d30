// Runs the cases on standard input, one JSON object a line, with the installed package `@voight/check/server`.
import { createInterface } from 'node:readline';
import * as voight from '@voight/check/server';

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const time = (date) => date.toISOString().replace('.000Z', 'Z');

/** Returns an object with other names of its members. */
const renameKeys = (object, rename) => Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));

function receiptOf(receipt) {
  return receipt && renameKeys({ ...receipt, issuedAt: time(receipt.issuedAt), expiresAt: time(receipt.expiresAt) }, snake);
}

/** Verifies a webhook, which needs no client. */
async function eventOf({ now, ...given }) {
  const time = now === undefined ? {} : { now: new Date(now * 1000) };
  const event = await voight.verifyWebhook({ ...renameKeys(given, camel), ...time });
  return { ...event, timestamp: event.timestamp.toISOString() };
}

const RENAMED = { create_quote: 'createQuote', call: 'callOperation', call_raw: 'callOperationRaw' };

async function run({ call, client, arguments: given }) {
  if (call === 'verify_webhook') return eventOf(given);
  const { operation, ...options } = renameKeys({ ...client, ...given }, camel);
  const perform = voight[RENAMED[call] ?? camel(call)];
  const result = await (operation ? perform(operation, options) : perform(options));
  switch (call) {
    case 'get_verdict':
      return { ...renameKeys(result, snake), reason: result.reason?.code ?? null, receipt: receiptOf(result.receipt) };
    case 'verify_receipt':
      return receiptOf(result);
    default:
      return result instanceof Uint8Array ? new TextDecoder().decode(result) : result;
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a call before that of the case; a failure is part of the case. */
async function prepare(step, client) {
  if (step.wait_ms) return sleep(step.wait_ms);
  const call = run({ ...step, client }).catch((error) => {
    if (!(error instanceof voight.VerdictError)) throw error;
  });
  return step.beside ? undefined : call;
}

async function answer(line) {
  const testCase = JSON.parse(line);
  const began = performance.now();
  let outcome;
  try {
    for (const step of testCase.before ?? []) await prepare(step, testCase.client);
    let ok;
    for (let times = testCase.repeat ?? 1; times > 0; times -= 1) ok = await run(testCase);
    outcome = { ok };
  } catch (error) {
    if (!(error instanceof voight.VerdictError)) throw error;
    const { code, id, status, retryable, outage, reference, retryAfter = null, remaining = null, message } = error;
    const errorText = `${error.stack} ${JSON.stringify(error)} ${error.cause}`;
    outcome = { error: { code, id, status, retryable, outage, request_id: reference, retry_after: retryAfter, remaining, message }, shown: errorText };
  }
  console.log(JSON.stringify({ name: testCase.name, took_ms: performance.now() - began, ...outcome }));
}

const answers = [];
for await (const line of createInterface({ input: process.stdin })) answers.push(answer(line));
await Promise.all(answers);
// Requests in the background are not waited for.
process.exit();
