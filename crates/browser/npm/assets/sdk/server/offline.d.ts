/** Verifies receipts with the service's public keys, without a request for each receipt. */
export type Receipt = import('./receipt.js').Receipt;
export type Verification = {
    /**
     * origin of the service
     */
    baseUrl: string;
    /**
     * value that the page sent, not validated
     */
    receipt: unknown;
    /**
     * claiming address
     */
    eoaAddress: string;
    /**
     * context of the claim
     */
    contextId: string;
    /**
     * timeout for waiting for the keys in milliseconds; default 10,000
     */
    timeoutMs?: number;
    /**
     * alternative implementation
     */
    fetch?: typeof globalThis.fetch;
};
/**
 * Verifies a receipt by its signature alone. It does not detect that a receipt was used before: use `getVerdict` for that and for
 * the verdict.
 *
 * @param {Verification} options @returns {Promise<Receipt>} rejects with a `VerdictError`
 */
export declare function verifyReceipt(options: Verification): Promise<Receipt>;
