/** Decodes receipts before any request: compact JWS whose claims describe the check. */

import { VerdictError } from './error.js';

/**
 * @typedef {object} Receipt content of a receipt, which never includes findings
 * @property {string} contextId
 * @property {string} eoaAddress in lower case
 * @property {string} origin origin of the page that hosted the check
 * @property {boolean} pinned `true` if that origin is registered for the context
 * @property {boolean} bound `true` if wallet ownership was proven
 * @property {boolean} test `true` for a receipt of the sandbox
 * @property {Date} issuedAt
 * @property {Date} expiresAt
 */

/** @typedef {{contextId: string, eoaAddress: string}} Asked subject of a verdict */

/** Upper bound of the length of a receipt. */
const MAX_LENGTH = 2048;
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Advice for each kind of invalid receipt. */
const ADVICE = {
  missing: 'The request has no receipt, so no check was completed for it. Reject it, or let the visitor complete a check.',
  forged: 'This receipt is not signed by the service, or is of a context of another API key. Refuse.',
  used: 'This receipt was redeemed before. Refuse, or let the visitor complete another check; to ask again for the same claim, pass the same idempotencyKey.',
  expired: 'This receipt is older than ten minutes. Let the visitor complete another check.',
  mismatch: 'This receipt is for another address or context than the verdict is asked for. Refuse, or let the visitor complete a check with this wallet.',
};

/** @param {keyof typeof ADVICE} reason @param {import('./error.js').Occurrence} [occurrence] */
export const refused = (reason, occurrence) => new VerdictError(`receipt_${reason}`, ADVICE[reason], occurrence);

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** @param {string} part @returns {Record<string, any>} */
function decode(part) {
  const value = JSON.parse(new TextDecoder().decode(bytes(part)));
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return value;
}

/**
 * Decodes a receipt without verifying it.
 *
 * @param {unknown} token value that the page sent, of any type
 */
export function read(token) {
  if (typeof token !== 'string' || token === '') throw refused('missing');
  if (token.length > MAX_LENGTH || !FORM.test(token)) throw refused('forged');
  const [header, payload, signature] = token.split('.');
  try {
    return { header: decode(header), claims: decode(payload), signed: `${header}.${payload}`, signature: bytes(signature) };
  } catch {
    throw refused('forged');
  }
}

/**
 * Rejects a receipt for another subject than the requested one.
 *
 * @param {{contextId: unknown, eoaAddress: unknown}} told @param {Asked} asked @param {import('./error.js').Occurrence} [occurrence]
 */
export function match(told, asked, occurrence) {
  const same = String(told.eoaAddress).toLowerCase() === asked.eoaAddress && told.contextId === asked.contextId;
  if (!same) throw refused('mismatch', occurrence);
}
