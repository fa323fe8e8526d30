/** Requests for a verdict: redeeming the receipt and looking up the address. */

import { call, dataOf, unexpectedResponse } from './call.js';
import { receiptError, requireSubject } from './receipt.js';

/** @typedef {import('./call.js').Service} Service */
/** @typedef {import('./receipt.js').Receipt} Receipt */
/** @typedef {import('./receipt.js').Subject} Subject */

/**
 * @typedef {object} Lookup
 * @property {'human' | 'bot' | 'unknown'} verdict `unknown`: no evidence for either, the score is 0
 * @property {number} score certainty of the verdict: high near 1, low near 0
 */

/** Statuses of a receipt that is rejected. */
const STATUSES = ['used', 'expired', 'forged'];

/**
 * Redeems a receipt. A bot that claims without having passed the window has no valid one.
 *
 * @param {Service} service @param {Record<string, string>} headers @param {string} token @param {Subject} subject
 * @returns {Promise<Receipt>}
 */
export async function redeem(service, headers, token, subject) {
  const request = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ receipt: token }) };
  const data = await call(service, 'verifyReceipt', request, (response) => {
    const found = dataOf('verifyReceipt', response);
    const times = [found.issued_at, found.expires_at].map((text) => Date.parse(text));
    const isComplete = typeof found.context_id === 'string' && typeof found.eoa_address === 'string' && !times.some(Number.isNaN);
    const isKnown = found.status === 'valid' ? isComplete : STATUSES.includes(found.status);
    if (!isKnown) throw unexpectedResponse('sends another body', response);
    return found;
  });
  if (data.status !== 'valid') throw receiptError(data.status, { status: 200 });
  const receipt = {
    contextId: data.context_id,
    eoaAddress: String(data.eoa_address).toLowerCase(),
    origin: data.origin,
    originAllowlisted: data.origin_allowlisted,
    owned: data.owned,
    test: data.test,
    issuedAt: new Date(data.issued_at),
    expiresAt: new Date(data.expires_at),
  };
  requireSubject(receipt, subject);
  return receipt;
}

/**
 * Looks up the verdict. This request is billed.
 *
 * @param {Service} service @param {Record<string, string>} headers @param {Subject} subject @returns {Promise<Lookup>}
 */
export function requestVerdict(service, headers, { eoaAddress, contextId }) {
  const query = { eoa_address: eoaAddress, context_id: contextId };
  return call(service, 'lookUpAddress', { headers, query }, (response) => {
    const { isBot, confidence } = dataOf('lookUpAddress', response);
    const score = confidence?.score;
    if (typeof isBot !== 'boolean' || typeof score !== 'number') throw unexpectedResponse('sends another body', response);
    return { verdict: isBot ? 'bot' : score === 0 ? 'unknown' : 'human', score };
  });
}
