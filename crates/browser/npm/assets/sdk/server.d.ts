/**
 * Helper for a platform's backend. Before it grants a badge: redeems the page's receipt, then looks up the verdict.
 *
 * Requires only `fetch`: Node.js 18 and later, Deno, Bun, and edge runtimes.
 */
import { VerdictError } from './server/error.js';
export { VerdictError } from './server/error.js';
export { verifyReceipt } from './server/offline.js';
export { callOperation, callOperationRaw, createQuote, ledgerHead, lookUp, lookUpBatch, lookUpDetail, registerContext } from './server/operations.js';
export { downloadSnapshot, finalizeSnapshot, snapshotManifest, takeSnapshot } from './server/snapshot.js';
export { verifyWebhook } from './server/webhook.js';
export type Receipt = import('./server/receipt.js').Receipt;
export type Claim = {
    /**
     * origin of the service, as this backend reaches it
     */
    baseUrl: string;
    /**
     * a key with the scope `lookup:read`; must never be sent to a page
     */
    apiKey: string;
    /**
     * value that the page sent, not validated
     */
    receipt: unknown;
    /**
     * claiming address, as this backend knows it
     */
    eoaAddress: string;
    /**
     * a context that this key has registered
     */
    contextId: string;
    /**
     * identifies this claim if the backend may repeat the call: the same receipt is accepted again,
     * and nothing is billed twice. Default: a new key for each call
     */
    idempotencyKey?: string;
    /**
     * timeout in milliseconds for all attempts together; default 10,000
     */
    timeoutMs?: number;
    /**
     * returns `unknown` instead of rejecting while the service is unavailable, which lets bots through
     */
    failOpen?: boolean;
    /**
     * alternative implementation
     */
    fetch?: typeof globalThis.fetch;
};
export type Verdict = {
    /**
     * `unknown`: no evidence for either, the score is 0
     */
    verdict: 'human' | 'bot' | 'unknown';
    /**
     * certainty of the verdict: high near 1, low near 0
     */
    score: number;
    /**
     * redeemed receipt; null if the service was unavailable
     */
    receipt: Receipt | null;
    /**
     * `true` if the service was unavailable and `failOpen` let the visitor pass
     */
    failedOpen: boolean;
    /**
     * reason why the service was unavailable
     */
    reason?: VerdictError;
};
/** @typedef {import('./server/receipt.js').Receipt} Receipt */
/**
 * @typedef {object} Claim
 * @property {string} baseUrl origin of the service, as this backend reaches it
 * @property {string} apiKey a key with the scope `lookup:read`; must never be sent to a page
 * @property {unknown} receipt value that the page sent, not validated
 * @property {string} eoaAddress claiming address, as this backend knows it
 * @property {string} contextId a context that this key has registered
 * @property {string} [idempotencyKey] identifies this claim if the backend may repeat the call: the same receipt is accepted again,
 * and nothing is billed twice. Default: a new key for each call
 * @property {number} [timeoutMs] timeout in milliseconds for all attempts together; default 10,000
 * @property {boolean} [failOpen] returns `unknown` instead of rejecting while the service is unavailable, which lets bots through
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */
/**
 * @typedef {object} Verdict
 * @property {'human' | 'bot' | 'unknown'} verdict `unknown`: no evidence for either, the score is 0
 * @property {number} score certainty of the verdict: high near 1, low near 0
 * @property {Receipt | null} receipt redeemed receipt; null if the service was unavailable
 * @property {boolean} failedOpen `true` if the service was unavailable and `failOpen` let the visitor pass
 * @property {VerdictError} [reason] reason why the service was unavailable
 */
/**
 * Redeems a receipt, then looks up the verdict. Rejects with a `VerdictError` unless both succeed.
 *
 * @param {Claim} claim @returns {Promise<Verdict>}
 */
export declare function getVerdict(claim: Claim): Promise<Verdict>;
