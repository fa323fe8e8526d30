/** Public keys of services: fetched once for all callers, refreshed in the background, and kept while the service is unreachable. */

import { call, dataOf, unexpectedResponse } from './call.js';
import { VerdictError } from './error.js';

/** @typedef {import('./call.js').Service} Service */
/** @typedef {{key: CryptoKey, until: number, seenAt: number}} VerificationKey `until`: latest time of issue of its receipts, in seconds; `seenAt`: time of the last set that lists it */

/**
 * @typedef {object} KeyCache
 * @property {Map<string, VerificationKey>} keys
 * @property {Promise<void> | null} fetching fetch in progress, which never rejects
 * @property {unknown} failure error of the last fetch; null if it succeeded
 * @property {number} refreshAt time of the next refresh
 * @property {number} searchAt time of the next fetch for an unknown key
 */

/** Minimum time between two fetches for unknown keys, and between a failed fetch and the next refresh. */
const RETRY_MS = 30000;

/** Maximum time between two refreshes, since a key may be retired; the service's `max-age` can shorten it. */
const MAX_AGE_MS = 300000;

/** Time for which a key is used after the last set that lists it. */
const LIFETIME_MS = 3600000;

/** Timeout of a fetch, which several callers wait for. */
const FETCH_TIMEOUT_MS = 10000;

/** Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ. */
const RETIREMENT_MARGIN = 60;

/** Caches by the URL of their service. @type {Map<string, KeyCache>} */
const caches = new Map();

/** Returns the error of a runtime without Ed25519. @param {unknown} [cause] */
export const unsupportedRuntime = (cause) =>
  new VerdictError('unsupported_runtime', 'This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.', { cause });

/** @param {string} baseUrl @returns {KeyCache} */
function cacheOf(baseUrl) {
  const cache = caches.get(baseUrl) ?? { keys: new Map(), fetching: null, failure: null, refreshAt: 0, searchAt: 0 };
  caches.set(baseUrl, cache);
  return cache;
}

/**
 * Imports a key; undefined for another kind of key. The first key is the one in use; any other is valid for receipts that are dated
 * before its retirement.
 *
 * @param {any} jwk @param {number} index @returns {Promise<[string, VerificationKey] | undefined>}
 */
async function importKey(jwk, index) {
  const { kid, kty, crv, x, retired_at: retiredAt } = jwk ?? {};
  if (crv !== 'Ed25519') return undefined;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']).catch((cause) => {
    if (cause?.name === 'DataError') return undefined;
    throw unsupportedRuntime(cause);
  });
  const until = index === 0 && !retiredAt ? Infinity : Date.parse(retiredAt ?? '') / 1000 + RETIREMENT_MARGIN;
  return key && [String(kid), { key, until, seenAt: Date.now() }];
}

/** @param {Headers} headers */
function maxAge(headers) {
  const seconds = /\bmax-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1];
  return Math.min(seconds === undefined ? MAX_AGE_MS : Number(seconds) * 1000, MAX_AGE_MS);
}

/** Fetches the keys, and adds them to those that are known. @param {KeyCache} cache @param {Service} service */
async function fetchKeys(cache, service) {
  const response = await call({ ...service, deadline: Date.now() + FETCH_TIMEOUT_MS }, 'getKeys', {}, (raw) => raw);
  const { keys } = dataOf('getKeys', response);
  const imported = Array.isArray(keys) ? await Promise.all(keys.map(importKey)) : [];
  const listed = imported.filter((entry) => entry !== undefined);
  if (listed.length === 0) throw unexpectedResponse('sends no keys', response);
  for (const [kid, key] of listed) cache.keys.set(kid, key);
  cache.refreshAt = Date.now() + maxAge(response.headers);
}

/** Starts a fetch, unless one is in progress. @param {KeyCache} cache @param {Service} service @returns {Promise<void>} */
function startFetch(cache, service) {
  const settle = (/** @type {unknown} */ failure) => {
    if (failure) cache.refreshAt = Date.now() + RETRY_MS;
    cache.failure = failure;
    cache.fetching = null;
  };
  cache.fetching ??= fetchKeys(cache, service).then(() => settle(null), settle);
  return cache.fetching;
}

/** Waits for a fetch that several callers share, at most until the deadline of this one. @param {Promise<void>} fetching @param {Service} service */
async function waitFor(fetching, { baseUrl, deadline }) {
  const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const end = new Promise((resolve) => signal.addEventListener('abort', () => resolve(true)));
  if (await Promise.race([fetching, end])) throw new VerdictError('unreachable', `The keys of the service at ${baseUrl} did not arrive in time.`, { retryable: true });
}

/**
 * Returns the key of a receipt; undefined if the service does not list it.
 *
 * A known key never waits for the network. An unknown one may be new, and waits for a fetch.
 *
 * @param {Service} service @param {string} kid
 */
export async function findKey(service, kid) {
  const cache = cacheOf(service.baseUrl);
  const now = Date.now();
  for (const [id, { seenAt }] of cache.keys) if (now - seenAt > LIFETIME_MS) cache.keys.delete(id);
  const known = cache.keys.get(kid);
  if (known) {
    if (now >= cache.refreshAt) startFetch(cache, service);
    return known;
  }
  if (cache.fetching || cache.keys.size === 0 || now >= cache.searchAt) {
    if (!cache.fetching && cache.keys.size > 0) cache.searchAt = now + RETRY_MS;
    await waitFor(startFetch(cache, service), service);
  }
  if (cache.failure && !cache.keys.has(kid)) throw cache.failure;
  return cache.keys.get(kid);
}
