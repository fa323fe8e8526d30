/** Requests to the service, repeated until one succeeds or the timeout expires. */

import { VerdictError } from './error.js';
import { ERRORS, OPERATIONS } from './generated.js';
import { newIdempotencyKey } from './options.js';

/** @typedef {import('./generated.js').OperationId} OperationId */

/**
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {typeof globalThis.fetch} fetch
 * @property {number} deadline end of all attempts, in milliseconds since the epoch
 * @property {number} [attemptTimeoutMs] timeout of one attempt
 */

/**
 * @typedef {object} Request
 * @property {Record<string, string>} [path] parameters of the path
 * @property {Record<string, string>} [query]
 * @property {Record<string, string>} [headers]
 * @property {BodyInit} [body]
 */

/** @typedef {{status: number, headers: Headers, bytes: Uint8Array<ArrayBuffer>}} RawResponse a response with its complete body */

/** Timeout of one attempt. */
const ATTEMPT_TIMEOUT_MS = 4000;
/** First pause between two attempts; each further pause is twice as long. */
const FIRST_PAUSE_MS = 250;
/** Statuses that are worth a retry if the response has no code of the error table, such as one of a proxy. */
const TEMPORARY = [408, 429, 502, 503, 504];
/** Codes of the error table. */
const RETRYABLE = new Map(ERRORS.map(([, code, isRetryable]) => [code, isRetryable]));

/** Statuses with which a request is rejected before it is applied. */
const REJECTED = [408, 429];
/** Codes of Node.js for a connection that was not established. */
const NOT_CONNECTED = ['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'];

const OLDER = 'the service is older than this helper. Upgrade the service.';

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {Headers} headers */
const reference = (headers) => headers.get('x-request-id') ?? '';

/** Returns the error of a response that Voight never sends. @param {string} action action of the server @param {RawResponse} response */
export function unexpectedResponse(action, { status, headers }) {
  const message = `The server at baseUrl ${action}, which Voight never does. Is baseUrl the origin of the service?`;
  return new VerdictError('bad_answer', message, { status, reference: reference(headers) });
}

/** @param {string} template @param {Record<string, string>} parameters */
const fill = (template, parameters) =>
  Object.entries(parameters).reduce((path, [name, value]) => path.replace(`{${name}}`, encodeURIComponent(value)), template);

/** @param {Service} service @param {OperationId} operation @param {Request} request @returns {Promise<RawResponse>} */
async function send({ baseUrl, fetch, deadline, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }, operation, { path = {}, query = {}, ...init }) {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(attemptTimeoutMs, deadline - Date.now())));
  const { method, path: template } = OPERATIONS[operation];
  const url = new URL(fill(template, path), baseUrl);
  url.search = new URLSearchParams(query).toString();
  // Redirects are not followed: they would send the key to another host.
  const response = await fetch(url, { ...init, method, redirect: 'manual', signal });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** @param {RawResponse} response @returns {any} undefined if the body is not JSON */
function parseJson({ headers, bytes }) {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** @param {Headers} headers */
function retryAfter(headers) {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return seconds > 0 && seconds < Infinity ? seconds : undefined;
}

/**
 * Decides by the error table, or by the status for a proxy and for a code that the table does not have.
 *
 * @param {{code: string, id: string, status: number}} error
 */
const isTemporary = ({ code, id, status }) => (id === '' ? undefined : RETRYABLE.get(code)) ?? TEMPORARY.includes(status);

/**
 * Returns the error of a response, or undefined.
 *
 * @param {Service} service @param {OperationId} operation @param {RawResponse} response
 */
function errorOf({ baseUrl }, operation, response) {
  const { status, headers } = response;
  if (status === 200) return undefined;
  // The status of an opaque redirect is 0.
  if (status < 200 || (status >= 300 && status < 400)) return unexpectedResponse('redirects to another address', response);
  const { code: upperCase, id, message, remaining } = parseJson(response)?.error ?? {};
  const occurrence = { status, reference: reference(headers), retryAfter: retryAfter(headers), id: String(id ?? ''), remaining };
  if (typeof upperCase !== 'string') {
    if (!TEMPORARY.includes(status) && status < 500) return unexpectedResponse(`responds with ${status} without JSON`, response);
    const text = `The service, or a proxy in front of it, responds with ${status}. Try again later.`;
    return new VerdictError('unavailable', text, { ...occurrence, retryable: true });
  }
  const code = upperCase.toLowerCase();
  const { method, path } = OPERATIONS[operation];
  if (code === 'not_found' && !path.includes('{')) {
    return new VerdictError('incompatible', `The service at ${baseUrl} has no ${method} ${path}: ${OLDER}`, occurrence);
  }
  return new VerdictError(code, String(message), { ...occurrence, retryable: isTemporary({ ...occurrence, code }) || status >= 500 });
}

/**
 * Returns `data` of a response, after a check of the members that the API promises.
 *
 * @param {OperationId} operation @param {RawResponse} response @returns {any}
 */
export function dataOf(operation, response) {
  const { method, path, required } = OPERATIONS[operation];
  const body = parseJson(response);
  // The key set has no envelope.
  const data = body?.data ?? (required.length === 0 ? body : undefined);
  if (typeof data !== 'object' || data === null) throw unexpectedResponse('sends another body', response);
  const missing = required.find((member) => !(member in data));
  if (missing === undefined) return data;
  const occurrence = { status: response.status, reference: reference(response.headers) };
  throw new VerdictError('incompatible', `The answer to ${method} ${path} has no \`${missing}\`: ${OLDER}`, occurrence);
}

/**
 * Returns `true` if the request was certainly not applied.
 *
 * @param {VerdictError} error
 */
const isUnapplied = ({ status, cause }) =>
  REJECTED.includes(status) || NOT_CONNECTED.includes(/** @type {any} */ (cause)?.cause?.code);

/** Returns the error of a change that is not repeated, because it may have been applied. @param {VerdictError} error */
function uncertain({ code, message, status, reference, id, retryAfter, remaining, cause }) {
  const text = `${message} The change may have been applied: read the state before you repeat the call.`;
  return new VerdictError(code, text, { status, reference, id, retryAfter, remaining, cause });
}

/**
 * Sends a request, and repeats it after temporary errors until the deadline: under one idempotency key if the operation accepts one,
 * and otherwise only if a repetition changes nothing, or if the request was certainly not applied.
 *
 * @template T
 * @param {Service} service @param {OperationId} operation @param {Request} request
 * @param {(response: RawResponse) => T} parse throws a `VerdictError` for a body that is not the service's
 * @returns {Promise<T>} rejects with a `VerdictError`
 */
export async function call(service, operation, request, parse) {
  const { retry } = OPERATIONS[operation];
  /** @type {Record<string, string>} */
  const newKey = retry === 'with_key' ? { 'idempotency-key': newIdempotencyKey() } : {};
  const keyed = { ...request, headers: { ...newKey, ...request.headers } };
  for (let pause = FIRST_PAUSE_MS * (1 + Math.random()); ; pause *= 2) {
    const response = await send(service, operation, keyed).catch((cause) => new NoResponse(service, cause));
    const error = response instanceof NoResponse ? response.error : errorOf(service, operation, response);
    if (!error) return parse(/** @type {RawResponse} */ (response));
    const isWorthARetry = response instanceof NoResponse || isTemporary(error);
    if (retry === 'if_unapplied' && error.retryable && !isUnapplied(error)) throw uncertain(error);
    const delay = isWorthARetry ? Math.max(pause, (error.retryAfter ?? 0) * 1000) : Infinity;
    if (Date.now() + delay >= service.deadline) throw error;
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
