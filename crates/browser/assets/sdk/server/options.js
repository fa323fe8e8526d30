/** Validates the platform's options before any request, with errors that name the option. */

import { VerdictError } from './error.js';

/** @typedef {import('./call.js').Service} Service */

const TIMEOUT_MS = 10000;
const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Rejects an invalid option. @param {string} name @param {boolean} isValid @param {string} expected */
export function requireOption(name, isValid, expected) {
  if (!isValid) throw new VerdictError('invalid_argument', `${name} must be ${expected}.`);
}

/** @param {string} text */
function isOrigin(text) {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/**
 * Returns the service with the deadline of the call.
 *
 * @param {{baseUrl: string, timeoutMs?: number, fetch?: typeof globalThis.fetch}} options @returns {Service}
 */
export function parseService({ baseUrl, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch }) {
  requireOption('baseUrl', isOrigin(baseUrl), 'the origin of the service, such as https://voight.example');
  requireOption('timeoutMs', timeoutMs > 0, 'a number of milliseconds above 0');
  requireOption('fetch', typeof fetch === 'function', 'a function; this runtime has none of its own');
  return { baseUrl, fetch, deadline: Date.now() + timeoutMs };
}

/**
 * Returns the subject of a verdict.
 *
 * @param {{eoaAddress: string, contextId: string}} options @returns {import('./receipt.js').Subject}
 */
export function parseSubject({ eoaAddress, contextId }) {
  const address = String(eoaAddress).toLowerCase();
  requireOption('eoaAddress', ADDRESS.test(address), '0x followed by 40 hexadecimal digits');
  requireContext(contextId);
  return { eoaAddress: address, contextId };
}

/** @param {string} contextId */
export function requireContext(contextId) {
  requireOption('contextId', typeof contextId === 'string' && contextId !== '', 'the id of a context that was registered');
}

/** Returns the header with the key, for a request that is not repeated by the platform. @param {{apiKey: string}} options */
export function keyHeader({ apiKey }) {
  requireOption('apiKey', /^vgt_\w+$/.test(apiKey), 'an API key, vgt_live_… or vgt_test_…');
  return { 'x-api-key': apiKey };
}

/** Returns a new key for each call. A key derived from the receipt would let a receipt be redeemed twice. */
export const newIdempotencyKey = () => globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/**
 * Returns the headers of a request. By the idempotency key, a retry is the same request.
 *
 * @param {{apiKey: string, idempotencyKey?: string}} options @returns {Record<string, string>}
 */
export function requestHeaders({ apiKey, idempotencyKey = newIdempotencyKey() }) {
  const headers = keyHeader({ apiKey });
  requireOption('idempotencyKey', /^[\w.:-]{1,255}$/.test(idempotencyKey), "at most 255 letters, digits, '_', '.', ':' or '-'");
  return { ...headers, 'idempotency-key': idempotencyKey };
}
