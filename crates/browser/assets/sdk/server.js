/**
 * What a platform's backend does before it hands out a badge: it redeems the receipt that its page got, then asks for the verdict.
 *
 * Nothing but `fetch` is needed: Node.js 18 and later, Deno, Bun, and edge runtimes.
 */

import { VerdictError } from './server/error.js';
import { credentials, reach, subject } from './server/options.js';
import { match, read } from './server/receipt.js';
import { look, redeem } from './server/requests.js';

export { VerdictError } from './server/error.js';
export { verifyReceipt } from './server/offline.js';

/** @typedef {import('./server/receipt.js').Receipt} Receipt */

/**
 * @typedef {object} Claim
 * @property {string} baseUrl origin of the service, as this backend reaches it
 * @property {string} apiKey a key with the scope `lookup:read`; never to be sent to a page
 * @property {unknown} receipt what the page sent, unchecked
 * @property {string} eoaAddress the address that claims, as this backend knows it
 * @property {string} contextId a context that this key has registered
 * @property {string} [idempotencyKey] names this claim where the backend may ask for it again: the same receipt is good again
 * then, and nothing is billed twice. Another one for each call unless given
 * @property {number} [timeoutMs] gives up after this many milliseconds, all tries together; 10,000 unless given
 * @property {boolean} [failOpen] answers `unknown` instead of rejecting while the service can't answer, which lets bots through
 * @property {typeof globalThis.fetch} [fetch] another implementation
 */

/**
 * @typedef {object} Verdict
 * @property {'human' | 'bot' | 'unknown'} verdict `unknown`: no evidence either way, its score is 0
 * @property {number} score how certain the verdict is: near 1 very, near 0 hardly
 * @property {Receipt | null} receipt what was redeemed; null where the service could not be asked
 * @property {boolean} failedOpen whether the service could not answer, and `failOpen` let the visitor pass
 * @property {VerdictError} [reason] why it could not
 */

/**
 * Redeems a receipt, then asks for the verdict. Rejects with a `VerdictError` unless both succeed.
 *
 * @param {Claim} claim @returns {Promise<Verdict>}
 */
export async function getVerdict(claim) {
  const [service, headers, asked] = [reach(claim), credentials(claim), subject(claim)];
  // A receipt that shows by itself that it is no good here is not burnt.
  const { claims } = read(claim.receipt);
  match({ contextId: claims.context, eoaAddress: claims.address }, asked);
  /** @type {Receipt | null} */
  let receipt = null;
  try {
    receipt = await redeem(service, headers, String(claim.receipt), asked);
    return { ...(await look(service, headers, asked)), receipt, failedOpen: false };
  } catch (cause) {
    if (!claim.failOpen || !(cause instanceof VerdictError) || !cause.outage) throw cause;
    return { verdict: 'unknown', score: 0, receipt, failedOpen: true, reason: cause };
  }
}
