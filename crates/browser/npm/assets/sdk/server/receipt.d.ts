/** Decodes receipts before any request: compact JWS whose claims describe the check. */
import { VerdictError } from './error.js';
export type Receipt = {
    contextId: string;
    /**
     * in lower case
     */
    eoaAddress: string;
    /**
     * origin of the page that hosted the check
     */
    origin: string;
    /**
     * `true` if that origin is registered for the context
     */
    originAllowlisted: boolean;
    /**
     * `true` if wallet ownership was proven
     */
    owned: boolean;
    /**
     * `true` for a receipt of the sandbox
     */
    test: boolean;
    issuedAt: Date;
    expiresAt: Date;
};
export type Subject = {
    contextId: string;
    eoaAddress: string;
};
/** Advice for each kind of invalid receipt. */
declare const ADVICE: {
    missing: string;
    forged: string;
    used: string;
    expired: string;
    mismatch: string;
};
/** Returns the error of an invalid receipt. @param {keyof typeof ADVICE} reason @param {import('./error.js').Occurrence} [occurrence] */
export declare const receiptError: (reason: keyof typeof ADVICE, occurrence?: import('./error.js').Occurrence) => VerdictError;
/**
 * Decodes a receipt without verifying it.
 *
 * @param {unknown} token value that the page sent, of any type
 */
export declare function decodeReceipt(token: unknown): {
    header: Record<string, any>;
    claims: Record<string, any>;
    signed: string;
    signature: Uint8Array<ArrayBuffer>;
};
/**
 * Rejects a receipt for another subject than the requested one.
 *
 * @param {{contextId: unknown, eoaAddress: unknown}} actual @param {Subject} expected @param {import('./error.js').Occurrence} [occurrence]
 */
export declare function requireSubject(actual: {
    contextId: unknown;
    eoaAddress: unknown;
}, expected: Subject, occurrence?: import('./error.js').Occurrence): void;
export {};
