/** Why there is no verdict, in a form that a program can switch on. */

/**
 * @typedef {object} Occurrence
 * @property {number} [status] HTTP status of the service's answer; 0 where there was none
 * @property {boolean} [retryable] whether the same call can succeed later
 * @property {string} [reference] `x-request-id` of the answer, to be found in the operator's log
 * @property {unknown} [cause] what the platform's own `fetch` threw
 */

/** What `getVerdict` and `verifyReceipt` reject with. `message` says what to do; it is meant for the platform, not for visitors. */
export class VerdictError extends Error {
  /** @param {string} code @param {string} message @param {Occurrence} [occurrence] */
  constructor(code, message, { status = 0, retryable = false, reference = '', cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'VerdictError';
    /** A code of this table, or one of the API's in lower case. */
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.reference = reference;
  }

  /** Whether the service could not answer now, be it right or wrong: what `failOpen` is about. */
  get outage() {
    return this.code === 'unreachable' || this.status === 402 || this.status === 429 || this.status >= 500;
  }
}
