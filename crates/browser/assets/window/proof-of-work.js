/** Proof of work: a number `n` such that SHA-256 of `salt:n` starts with a given number of zero bits. */

import { sha256 } from './sha256.js';

/** @param {Int32Array} digest @param {number} bits */
export function hasLeadingZeroBits(digest, bits) {
  for (let i = 0, left = bits; left > 0; i += 1, left -= 32) {
    if (Math.clz32(digest[i]) < Math.min(left, 32)) return false;
  }
  return true;
}

/** @param {string} salt @param {number} bits @param {number} from @param {number} count
 * @returns {number} the solution, -1 if there is none in this range */
export function solve(salt, bits, from, count) {
  for (let n = from; n < from + count; n += 1) {
    if (hasLeadingZeroBits(sha256(`${salt}:${n}`), bits)) return n;
  }
  return -1;
}
