/** Requests to the service, repeated until one succeeds or the timeout expires. */
import { VerdictError } from './error.js';
export type OperationId = import('./generated.js').OperationId;
export type Service = {
    baseUrl: string;
    fetch: typeof globalThis.fetch;
    /**
     * end of all attempts, in milliseconds since the epoch
     */
    deadline: number;
    /**
     * timeout of one attempt
     */
    attemptTimeoutMs?: number;
};
export type Request = {
    /**
     * parameters of the path
     */
    path?: Record<string, string>;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    body?: BodyInit;
};
export type RawResponse = {
    status: number;
    headers: Headers;
    bytes: Uint8Array<ArrayBuffer>;
};
/** @param {number} ms */
export declare const sleep: (ms: number) => Promise<any>;
/** Returns the error of a response that Voight never sends. @param {string} action action of the server @param {RawResponse} response */
export declare function unexpectedResponse(action: string, { status, headers }: RawResponse): VerdictError;
/**
 * Returns `data` of a response, after a check of the members that the API promises.
 *
 * @param {OperationId} operation @param {RawResponse} response @returns {any}
 */
export declare function dataOf(operation: OperationId, response: RawResponse): any;
/**
 * Sends a request, and repeats it after temporary errors until the deadline: under one idempotency key if the operation accepts one,
 * and otherwise only if a repetition changes nothing, or if the request was certainly not applied.
 *
 * @template T
 * @param {Service} service @param {OperationId} operation @param {Request} request
 * @param {(response: RawResponse) => T} parse throws a `VerdictError` for a body that is not the service's
 * @returns {Promise<T>} rejects with a `VerdictError`
 */
export declare function call<T>(service: Service, operation: OperationId, request: Request, parse: (response: RawResponse) => T): Promise<T>;
