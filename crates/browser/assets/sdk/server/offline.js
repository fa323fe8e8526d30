/** Verifies receipts with the service's public keys, without a request for each receipt. */

import { findKey, unsupportedRuntime } from './keys.js';
import { parseService, parseSubject } from './options.js';
import { decodeReceipt, receiptError, requireSubject } from './receipt.js';

/** @typedef {import('./receipt.js').Receipt} Receipt */

/**
 * @typedef {object} Verification
 * @property {string} baseUrl origin of the service
 * @property {unknown} receipt value that the page sent, not validated
 * @property {string} eoaAddress claiming address
 * @property {string} contextId context of the claim
 * @property {number} [timeoutMs] timeout for waiting for the keys in milliseconds; default 10,000
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */

/** @param {number} seconds since the epoch */
const date = (seconds) => new Date(seconds * 1000);

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
