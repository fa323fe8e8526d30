/** Calls of the API other than a claim: lookups, contexts, quotes, the ledger, and any operation by its id. */
export type OperationId = import('./generated.js').OperationId;
export type Connection = {
    /**
     * origin of the service, as this backend reaches it
     */
    baseUrl: string;
    /**
     * a key with the required scope, mostly `lookup:read`
     */
    apiKey: string;
    /**
     * timeout in milliseconds for all attempts together; default 10,000
     */
    timeoutMs?: number;
    /**
     * alternative implementation
     */
    fetch?: typeof globalThis.fetch;
};
export type AddressOptions = Connection & {
    eoaAddress: string;
    contextId: string;
    idempotencyKey?: string;
};
export type BatchOptions = Connection & {
    eoaAddresses: string[];
    contextId: string;
    idempotencyKey?: string;
};
export type ContextOptions = Connection & {
    title: string;
    idempotencyKey?: string;
};
export type QuoteOptions = Connection & {
    contextId: string;
    units: number;
};
export type HeadOptions = Connection & {
    saved?: import('./generated.js').LedgerHead;
};
export type OperationOptions = Connection & {
    path?: Record<string, string>;
    query?: Record<string, string>;
    body?: object;
    idempotencyKey?: string;
};
/** Looks up an address, which is billed. @param {AddressOptions} options @returns {Promise<import('./requests.js').Lookup>} */
export declare function lookUp(options: AddressOptions): Promise<import('./requests.js').Lookup>;
/**
 * Looks up an address with the basis of the answer; billed as a plain lookup.
 *
 * @param {AddressOptions} options @returns {Promise<import('./generated.js').LookupDetailResponse>}
 */
export declare function lookUpDetail(options: AddressOptions): Promise<import('./generated.js').LookupDetailResponse>;
/**
 * Looks up 1 to 1,000 addresses; each distinct valid one is billed as a plain lookup.
 *
 * @param {BatchOptions} options @returns {Promise<import('./generated.js').BatchLookupResponse>}
 */
export declare function lookUpBatch(options: BatchOptions): Promise<import('./generated.js').BatchLookupResponse>;
/** Registers a context, and returns its id. @param {ContextOptions} options @returns {Promise<string>} */
export declare function registerContext(options: ContextOptions): Promise<string>;
/**
 * Estimates the cost of the next lookups. Nothing is recorded, billed or reserved.
 *
 * @param {QuoteOptions} options @returns {Promise<import('./generated.js').Quote>}
 */
export declare function createQuote(options: QuoteOptions): Promise<import('./generated.js').Quote>;
/**
 * Returns the signed head of the ledger, to be saved by the caller. Rejects with the code `ledger_mismatch` if the ledger contradicts
 * `saved`.
 *
 * @param {HeadOptions} options @returns {Promise<import('./generated.js').SignedLedgerHead>}
 */
export declare function ledgerHead(options: HeadOptions): Promise<import('./generated.js').SignedLedgerHead>;
/**
 * Calls an operation of the API by its id, and returns `data` of the response.
 *
 * @param {OperationId} operation @param {OperationOptions} options @returns {Promise<any>}
 */
export declare function callOperation(operation: OperationId, options: OperationOptions): Promise<any>;
/**
 * Calls an operation like `callOperation`, and returns the body of the response.
 *
 * @param {OperationId} operation @param {OperationOptions} options @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export declare function callOperationRaw(operation: OperationId, options: OperationOptions): Promise<Uint8Array<ArrayBuffer>>;
