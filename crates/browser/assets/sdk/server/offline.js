/** Verifies receipts with the service's public keys, without a request for each receipt. */

import { call, dataOf, unexpectedResponse } from './call.js';
import { VerdictError } from './error.js';
import { parseService, parseSubject } from './options.js';
import { decodeReceipt, receiptError, requireSubject } from './receipt.js';

/** @typedef {import('./call.js').Service} Service */
/** @typedef {import('./receipt.js').Receipt} Receipt */
/** @typedef {{key: CryptoKey, until: number}} VerificationKey `until`: latest time of issue of its receipts, in seconds */
/** @typedef {{fetchedAt: number, keys: Promise<Map<string, VerificationKey>>}} CachedKeys */

/**
 * @typedef {object} Verification
 * @property {string} baseUrl origin of the service
 * @property {unknown} receipt value that the page sent, not validated
 * @property {string} eoaAddress claiming address
 * @property {string} contextId context of the claim
 * @property {number} [timeoutMs] timeout for fetching the keys in milliseconds; default 10,000
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */

/** Minimum time between two fetches that receipts with unknown keys cause. */
const REFETCH_MS = 30000;

/** Maximum age of fetched keys, since a key may be retired. The service allows caching them for the same time. */
const MAX_AGE_MS = 300000;

/** Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ. */
const RETIREMENT_MARGIN = 60;

/** Fetched keys by the URL of their service. @type {Map<string, CachedKeys>} */
const cache = new Map();

/** Returns the error of a runtime without Ed25519. @param {unknown} [cause] */
const unsupportedRuntime = (cause) =>
  new VerdictError('unsupported_runtime', 'This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.', { cause });

/**
 * Imports a key. The first key is the one in use; any other is valid for receipts that are dated before its retirement.
 *
 * @param {JsonWebKey & {kid: string, retired_at?: string}} jwk @param {number} index @returns {Promise<[string, VerificationKey]>}
 */
async function importKey({ kid, kty, crv, x, retired_at: retiredAt }, index) {
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']).catch((cause) => {
    throw unsupportedRuntime(cause);
  });
  const until = index === 0 && !retiredAt ? Infinity : Date.parse(retiredAt ?? '') / 1000 + RETIREMENT_MARGIN;
  return [kid, { key, until }];
}

/** @param {Service} service @returns {Promise<Map<string, VerificationKey>>} */
async function fetchKeys(service) {
  const set = await call(service, 'getKeys', {}, (response) => {
    const { keys } = dataOf('getKeys', response);
    if (!Array.isArray(keys)) throw unexpectedResponse('sends another body', response);
    return keys;
  });
  return new Map(await Promise.all(set.filter((/** @type {any} */ jwk) => jwk?.crv === 'Ed25519').map(importKey)));
}

/** Returns the cached keys, or fetches them if they are older. @param {Service} service @param {number} maxAgeMs @returns {CachedKeys['keys']} */
function cachedKeys(service, maxAgeMs) {
  const cached = cache.get(service.baseUrl);
  if (cached && Date.now() - cached.fetchedAt < maxAgeMs) return cached.keys;
  const keys = fetchKeys(service);
  cache.set(service.baseUrl, { fetchedAt: Date.now(), keys });
  // A failed fetch removes no keys, and is not repeated for each receipt.
  const fallback = cached && { fetchedAt: Date.now() - MAX_AGE_MS + REFETCH_MS, keys: cached.keys };
  keys.catch(() => (fallback ? cache.set(service.baseUrl, fallback) : cache.delete(service.baseUrl)));
  return keys;
}

/** @param {number} seconds since the epoch */
const date = (seconds) => new Date(seconds * 1000);

/** Returns the key of a receipt. An unknown key may be new and causes a fetch. @param {Service} service @param {string} kid */
async function findKey(service, kid) {
  const cached = cache.get(service.baseUrl);
  const current = cachedKeys(service, MAX_AGE_MS);
  const keys = await (cached ? current.catch(() => cached.keys) : current);
  return keys.get(kid) ?? (await cachedKeys(service, REFETCH_MS)).get(kid);
}

/**
 * Verifies a receipt by its signature alone. It does not detect that a receipt was used before: use `getVerdict` for that and for
 * the verdict.
 *
 * @param {Verification} options @returns {Promise<Receipt>} rejects with a `VerdictError`
 */
export async function verifyReceipt(options) {
  const service = parseService(options);
  const subject = parseSubject(options);
  const { header, claims, signed, signature } = decodeReceipt(options.receipt);
  if (!globalThis.crypto?.subtle) throw unsupportedRuntime();
  const { alg, kid, typ } = header;
  const key = alg === 'EdDSA' && typ === 'voight-receipt+jwt' ? await findKey(service, kid) : undefined;
  const isValid = key && (await crypto.subtle.verify('Ed25519', key.key, signature, new TextEncoder().encode(signed)));
  // A key that was retired at an unknown time is invalid: its limit is NaN, and the comparison fails.
  if (!isValid || !(claims.iat <= key.until)) throw receiptError('forged');
  const { context, address, origin, origin_allowlisted: originAllowlisted, owned, test, iat, exp } = claims;
  const receipt = { contextId: context, eoaAddress: address, origin, originAllowlisted, owned, test, issuedAt: date(iat), expiresAt: date(exp) };
  if (!(Date.now() < receipt.expiresAt.getTime())) throw receiptError('expired');
  requireSubject(receipt, subject);
  return receipt;
}
