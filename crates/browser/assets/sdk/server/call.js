/** Requests to the service, repeated until one succeeds or the timeout expires. */

import { VerdictError } from './error.js';

/**
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {typeof globalThis.fetch} fetch
 * @property {number} deadline end of all attempts, in milliseconds since the epoch
 * @property {number} [attemptTimeoutMs] timeout of one attempt
 */

/** @typedef {{status: number, headers: Headers, text: string}} RawResponse a response with its complete body */

/** Timeout of one attempt. */
const ATTEMPT_TIMEOUT_MS = 4000;
/** First pause between two attempts; each further pause is twice as long. */
const FIRST_PAUSE_MS = 250;
/** Temporary errors: a concurrent request with the same idempotency key, a rate limit, and a service or proxy that is not ready. */
const TEMPORARY = [409, 429, 502, 503, 504];

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {Headers} headers */
const reference = (headers) => headers.get('x-request-id') ?? '';

/** Returns the error of a response that Voight never sends. @param {string} action action of the server @param {RawResponse} response */
function unexpectedResponse(action, { status, headers }) {
  const message = `The server at baseUrl ${action}, which Voight never does. Is baseUrl the origin of the service?`;
  return new VerdictError('bad_answer', message, { status, reference: reference(headers) });
}

/** @param {Service} service @param {string} path @param {RequestInit} init @returns {Promise<RawResponse>} */
async function send({ baseUrl, fetch, deadline, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }, path, init) {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(attemptTimeoutMs, deadline - Date.now())));
  // Redirects are not followed: they would send the key to another host.
  const response = await fetch(new URL(path, baseUrl), { ...init, redirect: 'manual', signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** @param {RawResponse} response @returns {any} undefined if the body is not JSON */
function parseJson({ headers, text }) {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the result of a response, or its error.
 *
 * @template T
 * @param {RawResponse} response
 * @param {(body: any) => T | undefined} parse
 * @returns {T | VerdictError}
 */
function interpret(response, parse) {
  const { status, headers } = response;
  const body = parseJson(response);
  const { code, message } = body?.error ?? {};
  const occurrence = { status, retryable: TEMPORARY.includes(status) || status >= 500, reference: reference(headers) };
  // The status of an opaque redirect is 0.
  if (status < 200 || (status >= 300 && status < 400)) return unexpectedResponse('redirects to another address', response);
  if (status === 200) return parse(body) ?? unexpectedResponse('sends another body', response);
  if (typeof code === 'string') return new VerdictError(code.toLowerCase(), String(message), occurrence);
  if (!occurrence.retryable) return unexpectedResponse(`responds with ${status} without JSON`, response);
  return new VerdictError('unavailable', `The service, or a proxy in front of it, responds with ${status}. Try again later.`, occurrence);
}

/** @param {RawResponse} response @param {number} pause @returns {number} milliseconds until a retry may succeed, infinite if none can */
function retryDelay({ status, headers }, pause) {
  if (!TEMPORARY.includes(status)) return Infinity;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Math.max(pause, seconds > 0 ? seconds * 1000 : 0);
}

/**
 * Sends a request, and repeats it after temporary errors until the deadline.
 *
 * @template T
 * @param {Service} service @param {string} path @param {RequestInit} init
 * @param {(body: any) => T | undefined} parse returns undefined for a body that is not the service's
 * @returns {Promise<T>} rejects with a `VerdictError`
 */
export async function call(service, path, init, parse) {
  for (let pause = FIRST_PAUSE_MS * (1 + Math.random()); ; pause *= 2) {
    const response = await send(service, path, init).catch((cause) => new NoResponse(service, cause));
    const outcome = response instanceof NoResponse ? response.error : interpret(response, parse);
    if (!(outcome instanceof VerdictError)) return outcome;
    const delay = response instanceof NoResponse ? pause : retryDelay(response, pause);
    if (Date.now() + delay >= service.deadline) throw outcome;
    await sleep(delay);
  }
}

/** Error of a request without a response, or without one in time. */
class NoResponse {
  /** @param {Service} service @param {unknown} cause */
  constructor({ baseUrl }, cause) {
    const message = `The service does not respond at ${baseUrl}. Is it running, and can this backend reach it?`;
    this.error = new VerdictError('unreachable', message, { retryable: true, cause });
  }
}
