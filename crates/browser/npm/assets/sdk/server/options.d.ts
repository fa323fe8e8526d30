/** Validates the platform's options before any request, with errors that name the option. */
export type Service = import('./call.js').Service;
/** Rejects an invalid option. @param {string} name @param {boolean} isValid @param {string} expected */
export declare function requireOption(name: string, isValid: boolean, expected: string): void;
/**
 * Returns the service with the deadline of the call.
 *
 * @param {{baseUrl: string, timeoutMs?: number, fetch?: typeof globalThis.fetch}} options @returns {Service}
 */
export declare function parseService({ baseUrl, timeoutMs, fetch }: {
    baseUrl: string;
    timeoutMs?: number;
    fetch?: typeof globalThis.fetch;
}): Service;
/**
 * Returns the subject of a verdict.
 *
 * @param {{eoaAddress: string, contextId: string}} options @returns {import('./receipt.js').Subject}
 */
export declare function parseSubject({ eoaAddress, contextId }: {
    eoaAddress: string;
    contextId: string;
}): import('./receipt.js').Subject;
/** @param {string} contextId */
export declare function requireContext(contextId: string): void;
/** Returns the header with the key, for a request that is not repeated by the platform. @param {{apiKey: string}} options */
export declare function keyHeader({ apiKey }: {
    apiKey: string;
}): {
    'x-api-key': string;
};
/** Returns a new key for each call. A key derived from the receipt would let a receipt be redeemed twice. */
export declare const newIdempotencyKey: () => `${string}-${string}-${string}-${string}-${string}`;
/**
 * Returns the headers of a request. By the idempotency key, a retry is the same request.
 *
 * @param {{apiKey: string, idempotencyKey?: string}} options @returns {Record<string, string>}
 */
export declare function requestHeaders({ apiKey, idempotencyKey }: {
    apiKey: string;
    idempotencyKey?: string;
}): Record<string, string>;
