/** A failure with a code of the component's error table. */
export class Failure extends Error {
  /** @param {string} code @param {boolean} retryable @param {string} [reference] */
  constructor(code, retryable, reference = '') {
    super(code);
    this.code = code;
    this.retryable = retryable;
    this.reference = reference;
  }
}
