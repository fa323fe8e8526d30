/** Requests to the service, same-origin and without cookies. */

import { Failure } from './failure.js';

const BASE = '/window/v1/checks';
const TIMEOUT_MS = 15000;

/** The component's error codes for the service's error codes. All others are `internal`.
 * @type {Record<string, [string, boolean]>} */
const CODES = {
  ORIGIN_NOT_ALLOWED: ['origin_not_allowed', false],
  ORIGIN_MISMATCH: ['origin_mismatch', false],
  CONTEXT_UNKNOWN: ['context_unknown', false],
  UNAUTHORIZED: ['context_unknown', false],
  NOT_FOUND: ['context_unknown', false],
  CONTEXT_CLOSED: ['context_closed', false],
  INVALID_ADDRESS: ['address_invalid', false],
  INVALID_CHECKSUM: ['address_invalid', false],
  SESSION_INVALID: ['session_invalid', false],
  SESSION_EXPIRED: ['session_expired', true],
  RATE_LIMITED: ['rate_limited', true],
  NOT_BOUND: ['not_bound', true],
  SIGNATURE_UNVERIFIABLE: ['unverifiable', false],
  // Only the signature of a contract account is that long.
  PAYLOAD_TOO_LARGE: ['unverifiable', false],
  CHECK_REFUSED: ['check_failed', true],
  INVALID_EVIDENCE: ['check_failed', true],
};

/**
 * @typedef {object} Opened
 * @property {string} check
 * @property {string} challenge
 * @property {{salt: string, bits: number}} work
 * @property {string} layoutSeed
 * @property {number} presses
 * @property {string} expiresAt
 * @property {boolean} test
 * @property {Sign} [sign]
 */

/** @typedef {{message: string, code: string}} Sign message for the wallet to sign, and the code in it */

/** @typedef {{kind: 'press' | 'nonce', token: string, x?: number, y?: number}} Step */

/** @param {string} path @param {Record<string, string>} headers @param {string} body @returns {Promise<any>} */
async function post(path, headers, body) {
  const response = await request(path, headers, body);
  const reference = response.headers.get('x-request-id') ?? '';
  const answer = await response.json().catch(() => null);
  if (response.ok && answer?.success === true) return answer.data;
  const [code, retryable] = CODES[answer?.error?.code] ?? (response.status === 429 ? CODES.RATE_LIMITED : ['internal', true]);
  throw new Failure(code, retryable, reference, Number(response.headers.get('retry-after')));
}

/** @param {string} path @param {Record<string, string>} headers @param {string} body */
async function request(path, headers, body) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    return await fetch(BASE + path, {
      method: 'POST',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body || undefined,
      credentials: 'omit',
      cache: 'no-store',
      signal: abort.signal,
    });
  } catch {
    throw new Failure('network', true);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Record<string, unknown>} asked @returns {Promise<Opened>} */
export const open = (asked) => post('', {}, JSON.stringify(asked));

/** @param {Opened} opened @param {string} work */
const proof = (opened, work) => ({ 'x-voight-challenge': opened.challenge, 'x-voight-work': work });

/** @param {Opened} opened @param {string} work @param {Record<string, unknown>} shown @returns {Promise<{challenge: string, remembered?: string}>} */
export const bind = (opened, work, shown) => post(`/${opened.check}/binding`, proof(opened, work), JSON.stringify(shown));

/** @param {Opened} opened @param {string} work @param {string} batch @returns {Promise<{step?: Step}>} */
export const submit = (opened, work, batch) => post(`/${opened.check}/evidence`, proof(opened, work), batch);

/** Completes a check. A repeated request returns the same receipt, so the request is repeated once if its response was lost.
 * @param {Opened} opened @param {string} work @returns {Promise<{receipt: string}>} */
export async function complete(opened, work) {
  const ask = () => post(`/${opened.check}/complete`, proof(opened, work), '');
  return ask().catch((cause) => (cause.code === 'network' ? ask() : Promise.reject(cause)));
}
