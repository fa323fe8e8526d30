/** Error with a code for programs, for a call that returns no result. */

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
export class VerdictError extends Error {
  /** @param {string} code @param {string} message @param {Occurrence} [occurrence] */
  constructor(code, message, { status = 0, retryable = false, reference = '', id = '', retryAfter, remaining, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'VerdictError';
    /** Code of the table in the documentation, or a code of the API in lower case. */
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.reference = reference;
    this.id = id;
    this.retryAfter = retryAfter;
    this.remaining = remaining;
  }

  /** `true` if the service could not answer. `failOpen` covers these errors only. */
  get outage() {
    return this.code === 'unreachable' || this.status === 402 || this.status === 429 || this.status >= 500;
  }
}
