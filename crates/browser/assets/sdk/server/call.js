/** Requests to the service, retried until they are answered or the timeout expires. */

import { VerdictError } from './error.js';

/**
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {typeof globalThis.fetch} fetch
 * @property {number} deadline end of all attempts, in milliseconds since the epoch
 */

/** @typedef {{status: number, headers: Headers, text: string}} Raw a response with its complete body */

/** Timeout of one attempt. */
const TRY_MS = 4000;
/** First pause between two attempts; each further pause is twice as long. */
const PAUSE_MS = 250;
/** Temporary errors: a concurrent request with the same idempotency key, a rate limit, and a service or proxy that is not ready. */
const PASSING = [409, 429, 502, 503, 504];

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {Headers} headers */
const reference = (headers) => headers.get('x-request-id') ?? '';

/** @param {string} what @param {Raw} answer */
function foreign(what, { status, headers }) {
  const message = `What answers at baseUrl ${what}, as Voight never does. Is baseUrl the origin of the service?`;
  return new VerdictError('bad_answer', message, { status, reference: reference(headers) });
}

/** @param {Service} service @param {string} path @param {RequestInit} init @returns {Promise<Raw>} */
async function ask({ baseUrl, fetch, deadline }, path, init) {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(TRY_MS, deadline - Date.now())));
  // Redirects are not followed: they would send the key to another host.
  const response = await fetch(new URL(path, baseUrl), { ...init, redirect: 'manual', signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** @param {Raw} answer @returns {any} undefined if the body is not JSON */
function json({ headers, text }) {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @template T
 * @param {Raw} answer
 * @param {(body: any) => T | undefined} understand
 * @returns {T | VerdictError}
 */
function judge(answer, understand) {
  const { status, headers } = answer;
  const body = json(answer);
  const { code, message } = body?.error ?? {};
  const occurrence = { status, retryable: PASSING.includes(status) || status >= 500, reference: reference(headers) };
  // The status of an opaque redirect is 0.
  if (status < 200 || (status >= 300 && status < 400)) return foreign('redirects to another address', answer);
  if (status === 200) return understand(body) ?? foreign('says something else', answer);
  if (typeof code === 'string') return new VerdictError(code.toLowerCase(), String(message), occurrence);
  if (!occurrence.retryable) return foreign(`says ${status} without a word of JSON`, answer);
  return new VerdictError('unavailable', `The service, or a proxy before it, answers ${status}. Try again later.`, occurrence);
}

/** @param {Raw} answer @param {number} pause @returns {number} milliseconds until a retry may succeed, infinite if none can */
function delay({ status, headers }, pause) {
  if (!PASSING.includes(status)) return Infinity;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Math.max(pause, seconds > 0 ? seconds * 1000 : 0);
}

/**
 * @template T
 * @param {Service} service @param {string} path @param {RequestInit} init
 * @param {(body: any) => T | undefined} understand parses a body; returns undefined for a body that is not the service's
 * @returns {Promise<T>} rejects with a `VerdictError`
 */
export async function call(service, path, init, understand) {
  for (let pause = PAUSE_MS * (1 + Math.random()); ; pause *= 2) {
    const answer = await ask(service, path, init).catch((cause) => new Silence(service, cause));
    const outcome = answer instanceof Silence ? answer.error : judge(answer, understand);
    if (!(outcome instanceof VerdictError)) return outcome;
    const wait = answer instanceof Silence ? pause : delay(answer, pause);
    if (Date.now() + wait >= service.deadline) throw outcome;
    await sleep(wait);
  }
}

/** Error of a request without a response, or without one in time. */
class Silence {
  /** @param {Service} service @param {unknown} cause */
  constructor({ baseUrl }, cause) {
    const message = `The service does not answer at ${baseUrl}. Is it running, and reachable from here?`;
    this.error = new VerdictError('unreachable', message, { retryable: true, cause });
  }
}
