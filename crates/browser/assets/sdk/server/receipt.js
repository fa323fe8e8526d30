/** Receipts as they are read before anybody is asked: compact JWS whose claims say what was checked. */

import { VerdictError } from './error.js';

/**
 * @typedef {object} Receipt what a receipt says; never what was found
 * @property {string} contextId
 * @property {string} eoaAddress in lower case
 * @property {string} origin origin of the page that hosted the check
 * @property {boolean} pinned whether that origin is registered for the context
 * @property {boolean} bound whether the check was bound to the wallet
 * @property {boolean} test whether it is of a sandbox
 * @property {Date} issuedAt
 * @property {Date} expiresAt
 */

/** @typedef {{contextId: string, eoaAddress: string}} Asked what a verdict is asked for */

/** Longer than any receipt is. */
const MAX_LENGTH = 2048;
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What to do about a receipt that is no good. */
const ADVICE = {
  missing: 'There is no receipt: whoever asked did not pass the window. Refuse, or let the visitor complete a check.',
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
 * Takes a receipt apart. Nothing is proven by that.
 *
 * @param {unknown} token what the page sent; anything
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
 * Refuses what is for something else than what is asked.
 *
 * @param {{contextId: unknown, eoaAddress: unknown}} told @param {Asked} asked @param {import('./error.js').Occurrence} [occurrence]
 */
export function match(told, asked, occurrence) {
  const same = String(told.eoaAddress).toLowerCase() === asked.eoaAddress && told.contextId === asked.contextId;
  if (!same) throw refused('mismatch', occurrence);
}
