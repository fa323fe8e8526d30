/** SHA-256 in plain JavaScript: WebCrypto is unavailable on pages without TLS, and one asynchronous call for each attempt is slow. */

/** @param {number} count @param {(prime: number) => number} root */
const constants = (count, root) => {
  const found = [];
  for (let n = 2; found.length < count; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (prime) found.push(((root(n) % 1) * 4294967296) | 0);
  }
  return Int32Array.from(found);
};

const K = constants(64, Math.cbrt);
const START = constants(8, Math.sqrt);
const W = new Int32Array(64);

/** @param {Int32Array} state @param {DataView} view @param {number} offset */
function compress(state, view, offset) {
  for (let i = 0; i < 16; i += 1) W[i] = view.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const a = W[i - 15];
    const b = W[i - 2];
    const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
    const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
    W[i] = (W[i - 16] + s0 + W[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const next = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = (state[i] + next[i]) | 0;
}

/** @param {string} message @returns {Int32Array} eight words, big-endian */
export function sha256(message) {
  const bytes = new TextEncoder().encode(message);
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  const view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  for (let offset = 0; offset < padded.length; offset += 64) compress(state, view, offset);
  return state;
}

/** @param {string} message @returns {string} 64 hexadecimal digits */
export const hex = (message) =>
  Array.from(sha256(message), (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
