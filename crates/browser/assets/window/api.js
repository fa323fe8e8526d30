/** Requests to the service, same-origin and without cookies. */

import { Failure } from './failure.js';

const BASE = '/window/v1/checks';
const TIMEOUT_MS = 15000;

/** The component's error code for each error code of the service, and whether a retry can succeed. All others are `internal`.
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
  OWNERSHIP_NOT_PROVEN: ['not_bound', true],
  SIGNATURE_UNVERIFIABLE: ['unverifiable', false],
  // Only the signature of a contract account exceeds the limit.
  PAYLOAD_TOO_LARGE: ['unverifiable', false],
  CHECK_REFUSED: ['check_failed', true],
  INVALID_EVIDENCE: ['check_failed', true],
};

/**
 * @typedef {object} OpenedCheck
 * @property {string} check
 * @property {string} challenge
 * @property {{salt: string, bits: number}} work
 * @property {string} layoutSeed
 * @property {number} presses
 * @property {string} expiresAt
 * @property {boolean} test
 * @property {SignRequest} [sign]
 */

/** @typedef {{message: string, code: string}} SignRequest message for the wallet to sign, and the code in it */

/** @typedef {{kind: 'press' | 'nonce', token: string, x?: number, y?: number}} Step */

/** Sends a request and returns the data of its response. @param {string} path @param {Record<string, string>} headers @param {string} body
 * @returns {Promise<any>} */
async function post(path, headers, body) {
  const response = await request(path, headers, body);
  const reference = response.headers.get('x-request-id') ?? '';
  const envelope = await response.json().catch(() => null);
  if (response.ok && envelope?.success === true) return envelope.data;
  const [code, retryable] = CODES[envelope?.error?.code] ?? (response.status === 429 ? CODES.RATE_LIMITED : ['internal', true]);
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

/** Opens a check. @param {Record<string, unknown>} body @returns {Promise<OpenedCheck>} */
export const open = (body) => post('', {}, JSON.stringify(body));

/** @param {OpenedCheck} check @param {string} work */
const headers = ({ challenge }, work) => ({ 'x-voight-challenge': challenge, 'x-voight-work': work });

/** Submits a proof of wallet ownership. @param {OpenedCheck} check @param {string} work @param {Record<string, unknown>} proof
 * @returns {Promise<{challenge: string, trusted_browser?: string}>} */
export const proveOwnership = (check, work, proof) => post(`/${check.check}/ownership`, headers(check, work), JSON.stringify(proof));

/** Submits a batch of evidence. @param {OpenedCheck} check @param {string} work @param {string} batch @returns {Promise<{step?: Step}>} */
export const submit = (check, work, batch) => post(`/${check.check}/evidence`, headers(check, work), batch);

/** Completes a check. A repeated request returns the same receipt, so the request is repeated once if its response was lost.
 * @param {OpenedCheck} check @param {string} work @returns {Promise<{receipt: string}>} */
export async function complete(check, work) {
  const attempt = () => post(`/${check.check}/complete`, headers(check, work), '');
  return attempt().catch((cause) => (cause.code === 'network' ? attempt() : Promise.reject(cause)));
}
