/** Proof of work: find `n` such that SHA-256 of `salt:n` starts with enough zero bits. */

import { sha256 } from './sha256.js';

/** @param {Int32Array} digest @param {number} bits */
export function enough(digest, bits) {
  for (let i = 0, left = bits; left > 0; i += 1, left -= 32) {
    if (Math.clz32(digest[i]) < Math.min(left, 32)) return false;
  }
  return true;
}

/** @param {string} salt @param {number} bits @param {number} from @param {number} count
 * @returns {number} the solution, -1 if there is none in this range */
export function search(salt, bits, from, count) {
  for (let n = from; n < from + count; n += 1) {
    if (enough(sha256(`${salt}:${n}`), bits)) return n;
  }
  return -1;
}
