/** Failure with a code of the component's error table. */
export class Failure extends Error {
  /** @param {string} code @param {boolean} retryable @param {string} [reference] @param {number} [wait] seconds until a retry */
  constructor(code, retryable, reference = '', wait = 0) {
    super(code);
    this.code = code;
    this.retryable = retryable;
    this.reference = reference;
    this.wait = wait;
  }
}
