/** Error with a code for programs, for a call that returns no result. */
export type Occurrence = {
    /**
     * HTTP status of the service's response; 0 if there was none
     */
    status?: number;
    /**
     * `true` if the same call can succeed later
     */
    retryable?: boolean;
    /**
     * `x-request-id` of the response, by which the operator finds it in the log
     */
    reference?: string;
    /**
     * id of the cause in the error table; empty for an error of this helper
     */
    id?: string;
    /**
     * seconds until a retry can succeed, as in the header `Retry-After`
     */
    retryAfter?: number;
    /**
     * number of lookups that a cap still allows, with `quota_exceeded` of a batch or a quote
     */
    remaining?: number;
    /**
     * error of the platform's own `fetch`
     */
    cause?: unknown;
};
/**
 * @typedef {object} Occurrence
 * @property {number} [status] HTTP status of the service's response; 0 if there was none
 * @property {boolean} [retryable] `true` if the same call can succeed later
 * @property {string} [reference] `x-request-id` of the response, by which the operator finds it in the log
 * @property {string} [id] id of the cause in the error table; empty for an error of this helper
 * @property {number} [retryAfter] seconds until a retry can succeed, as in the header `Retry-After`
 * @property {number} [remaining] number of lookups that a cap still allows, with `quota_exceeded` of a batch or a quote
 * @property {unknown} [cause] error of the platform's own `fetch`
 */
/** Rejection of every function. `message` gives advice to the platform; it is not meant for visitors. */
export declare class VerdictError extends Error {
    /** Code of the table in the documentation, or a code of the API in lower case. */
    code: string;
    status: number;
    retryable: boolean;
    reference: string;
    id: string;
    retryAfter: number | undefined;
    remaining: number | undefined;
    /** @param {string} code @param {string} message @param {Occurrence} [occurrence] */
    constructor(code: string, message: string, { status, retryable, reference, id, retryAfter, remaining, cause }?: Occurrence);
    /** `true` if the service could not answer. `failOpen` covers these errors only. */
    get outage(): boolean;
}
