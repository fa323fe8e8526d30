/** Decodes receipts before any request: compact JWS whose claims describe the check. */

import { VerdictError } from './error.js';

/**
 * @typedef {object} Receipt content of a receipt, which never includes findings
 * @property {string} contextId
 * @property {string} eoaAddress in lower case
 * @property {string} origin origin of the page that hosted the check
 * @property {boolean} originAllowlisted `true` if that origin is registered for the context
 * @property {boolean} owned `true` if wallet ownership was proven
 * @property {boolean} test `true` for a receipt of the sandbox
 * @property {Date} issuedAt
 * @property {Date} expiresAt
 */

/** @typedef {{contextId: string, eoaAddress: string}} Subject address and context of a verdict */

/** Upper bound of the length of a receipt. */
const MAX_LENGTH = 2048;
const FORMAT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Advice for each kind of invalid receipt. */
const ADVICE = {
  missing: 'The request has no receipt, so no check was completed for it. Reject it, or let the visitor complete a check.',
  forged: 'This receipt is not signed by the service, or belongs to a context of another API key. Reject it.',
  used: 'This receipt was redeemed before. Reject it, or let the visitor complete another check. To repeat the call for the same claim, pass the same idempotencyKey.',
  expired: 'This receipt is older than ten minutes. Let the visitor complete another check.',
  mismatch: 'This receipt is for another address or context than the claim. Reject it, or let the visitor complete a check with this wallet.',
};

/** Returns the error of an invalid receipt. @param {keyof typeof ADVICE} reason @param {import('./error.js').Occurrence} [occurrence] */
export const receiptError = (reason, occurrence) => new VerdictError(`receipt_${reason}`, ADVICE[reason], occurrence);

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** @param {string} part @returns {Record<string, any>} */
function decode(part) {
  const value = JSON.parse(new TextDecoder().decode(bytes(part)));
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return value;
}

/**
 * Decodes a receipt without verifying it.
 *
 * @param {unknown} token value that the page sent, of any type
 */
export function decodeReceipt(token) {
  if (typeof token !== 'string' || token === '') throw receiptError('missing');
  if (token.length > MAX_LENGTH || !FORMAT.test(token)) throw receiptError('forged');
  const [header, payload, signature] = token.split('.');
  try {
    return { header: decode(header), claims: decode(payload), signed: `${header}.${payload}`, signature: bytes(signature) };
  } catch {
    throw receiptError('forged');
  }
}

/**
 * Rejects a receipt for another subject than the requested one.
 *
 * @param {{contextId: unknown, eoaAddress: unknown}} actual @param {Subject} expected @param {import('./error.js').Occurrence} [occurrence]
 */
export function requireSubject(actual, expected, occurrence) {
  const isSame = String(actual.eoaAddress).toLowerCase() === expected.eoaAddress && actual.contextId === expected.contextId;
  if (!isSame) throw receiptError('mismatch', occurrence);
}
