/** Verifies receipts with the service's public keys, without a request for each receipt. */

import { call } from './call.js';
import { VerdictError } from './error.js';
import { reach, subject } from './options.js';
import { match, read, refused } from './receipt.js';

/** @typedef {import('./call.js').Service} Service */
/** @typedef {import('./receipt.js').Receipt} Receipt */
/** @typedef {{key: CryptoKey, until: number}} Dated a key, and the latest time in seconds at which its receipts may be dated */
/** @typedef {{at: number, keys: Promise<Map<string, Dated>>}} Known */

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

/** Keys of each service. @type {Map<string, Known>} */
const known = new Map();

/** @param {unknown} [cause] */
const unsupported = (cause) =>
  new VerdictError('unsupported_runtime', 'This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.', { cause });

/**
 * Imports a key. The first key is the one in use; any other is valid for receipts that are dated before its retirement.
 *
 * @param {JsonWebKey & {kid: string, retired_at?: string}} jwk @param {number} place @returns {Promise<[string, Dated]>}
 */
async function named({ kid, kty, crv, x, retired_at: retired }, place) {
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']).catch((cause) => {
    throw unsupported(cause);
  });
  const until = place === 0 && !retired ? Infinity : Date.parse(retired ?? '') / 1000 + RETIREMENT_MARGIN;
  return [kid, { key, until }];
}

/** @param {Service} service @returns {Promise<Map<string, Dated>>} */
async function fetchKeys(service) {
  const set = await call(service, '/.well-known/voight-keys.json', {}, (body) => (Array.isArray(body?.keys) ? body.keys : undefined));
  return new Map(await Promise.all(set.filter((/** @type {any} */ jwk) => jwk?.crv === 'Ed25519').map(named)));
}

/** @param {Service} service @param {number} younger than this many milliseconds @returns {Known} */
function keysOf(service, younger) {
  const before = known.get(service.baseUrl);
  if (before && Date.now() - before.at < younger) return before;
  const keys = fetchKeys(service);
  const now = { at: Date.now(), keys };
  known.set(service.baseUrl, now);
  // A failure removes no keys, and is not repeated for each receipt.
  const kept = before && { at: Date.now() - MAX_AGE_MS + REFETCH_MS, keys: before.keys };
  keys.catch(() => (kept ? known.set(service.baseUrl, kept) : known.delete(service.baseUrl)));
  return now;
}

/** @param {number} seconds */
const date = (seconds) => new Date(seconds * 1000);

/** Returns the key of a receipt. An unknown key may be new and causes a fetch. @param {Service} service @param {string} kid */
async function keyOf(service, kid) {
  const before = known.get(service.baseUrl);
  const fresh = keysOf(service, MAX_AGE_MS).keys;
  const keys = await (before ? fresh.catch(() => before.keys) : fresh);
  return keys.get(kid) ?? (await keysOf(service, REFETCH_MS).keys).get(kid);
}

/**
 * Verifies a receipt by its signature alone. It does not detect that a receipt was used before: use `getVerdict` for that and for
 * the verdict.
 *
 * @param {Verification} options @returns {Promise<Receipt>} rejects with a `VerdictError`
 */
export async function verifyReceipt(options) {
  const service = reach(options);
  const asked = subject(options);
  const { header, claims, signed, signature } = read(options.receipt);
  if (!globalThis.crypto?.subtle) throw unsupported();
  const { alg, kid, typ } = header;
  const key = alg === 'EdDSA' && typ === 'voight-receipt+jwt' ? await keyOf(service, kid) : undefined;
  const good = key && (await crypto.subtle.verify('Ed25519', key.key, signature, new TextEncoder().encode(signed)));
  // A key that was retired at an unknown time is invalid: its limit is NaN, and the comparison fails.
  if (!good || !(claims.iat <= key.until)) throw refused('forged');
  const { context, address, origin, pinned, bound, test, iat, exp } = claims;
  const receipt = { contextId: context, eoaAddress: address, origin, pinned, bound, test, issuedAt: date(iat), expiresAt: date(exp) };
  if (!(Date.now() < receipt.expiresAt.getTime())) throw refused('expired');
  match(receipt, asked);
  return receipt;
}
