/** Public keys of services: fetched once for all callers, refreshed in the background, and kept while the service is unreachable. */
import { VerdictError } from './error.js';
export type Service = import('./call.js').Service;
export type VerificationKey = {
    key: CryptoKey;
    until: number;
    seenAt: number;
};
export type KeyCache = {
    keys: Map<string, VerificationKey>;
    /**
     * fetch in progress, which never rejects
     */
    fetching: Promise<void> | null;
    /**
     * error of the last fetch; null if it succeeded
     */
    failure: unknown;
    /**
     * time of the next refresh
     */
    refreshAt: number;
    /**
     * time of the next fetch for an unknown key
     */
    searchAt: number;
};
/** Returns the error of a runtime without Ed25519. @param {unknown} [cause] */
export declare const unsupportedRuntime: (cause?: unknown) => VerdictError;
/**
 * Returns the key of a receipt; undefined if the service does not list it.
 *
 * A known key never waits for the network. An unknown one may be new, and waits for a fetch.
 *
 * @param {Service} service @param {string} kid
 */
export declare function findKey(service: Service, kid: string): Promise<VerificationKey | undefined>;
