/** Receipts verified with the service's public keys, without asking the service about each. */

import { call } from './call.js';
import { VerdictError } from './error.js';
import { reach, subject } from './options.js';
import { match, read, refused } from './receipt.js';

/** @typedef {import('./call.js').Service} Service */
/** @typedef {import('./receipt.js').Receipt} Receipt */
/** @typedef {{key: CryptoKey, until: number}} Dated a key, and the last second that a receipt of it may be dated */
/** @typedef {{at: number, keys: Promise<Map<string, Dated>>}} Known */

/**
 * @typedef {object} Verification
 * @property {string} baseUrl origin of the service
 * @property {unknown} receipt what the page sent, unchecked
 * @property {string} eoaAddress the address that claims
 * @property {string} contextId the context of the claim
 * @property {number} [timeoutMs] gives up on the keys after this many milliseconds; 10,000 unless given
 * @property {typeof globalThis.fetch} [fetch] another implementation
 */

/** Receipts of made-up keys have the keys fetched no oftener than this. */
const REFETCH_MS = 30000;

/** Keys that are older are fetched again: one of them may have been retired. The service lets them be cached for as long. */
const MAX_AGE_MS = 300000;

/** A retired key may have signed for as long, in seconds: nodes hear of a rotation a moment later, and clocks differ. */
const RETIREMENT_MARGIN = 60;

/** The keys of each service that was asked. @type {Map<string, Known>} */
const known = new Map();

/** @param {unknown} [cause] */
const unsupported = (cause) =>
  new VerdictError('unsupported_runtime', 'This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.', { cause });

/**
 * The first key is the one in use; any other counts for what is dated before its retirement.
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
  // A failure takes no keys away, and is not repeated for each receipt.
  const kept = before && { at: Date.now() - MAX_AGE_MS + REFETCH_MS, keys: before.keys };
  keys.catch(() => (kept ? known.set(service.baseUrl, kept) : known.delete(service.baseUrl)));
  return now;
}

/** @param {number} seconds */
const date = (seconds) => new Date(seconds * 1000);

/** The key of a receipt: one that is not known may be new. @param {Service} service @param {string} kid */
async function keyOf(service, kid) {
  const before = known.get(service.baseUrl);
  const fresh = keysOf(service, MAX_AGE_MS).keys;
  const keys = await (before ? fresh.catch(() => before.keys) : fresh);
  return keys.get(kid) ?? (await keysOf(service, REFETCH_MS).keys).get(kid);
}

/**
 * Verifies a receipt by its signature alone. It says nothing about whether it was used before: for that, and for the verdict,
 * there is `getVerdict`.
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
  // A key that was retired at an unknown time counts for nothing: no number is at most NaN.
  if (!good || !(claims.iat <= key.until)) throw refused('forged');
  const { context, address, origin, pinned, bound, test, iat, exp } = claims;
  const receipt = { contextId: context, eoaAddress: address, origin, pinned, bound, test, issuedAt: date(iat), expiresAt: date(exp) };
  if (!(Date.now() < receipt.expiresAt.getTime())) throw refused('expired');
  match(receipt, asked);
  return receipt;
}
