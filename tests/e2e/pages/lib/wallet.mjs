// Wallet that creates real signatures. Its key stays here; a page has a provider that requests every signature.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Adds the checksum of EIP-55. @param {string} digits 40 hexadecimal digits */
function checksummed(digits) {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return '0x' + [...digits].map((digit, at) => (parseInt(hash[at], 16) > 7 ? digit.toUpperCase() : digit)).join('');
}

/** Externally owned account, with its user's decision on requests to sign. */
export class Wallet {
  #key;
  /** Messages that it was asked to sign.
   * @type {string[]} */
  asked = [];
  /** Decision of its user; a promise models a slow user.
   * @type {(message: string) => boolean | Promise<boolean>} */
  agrees = () => true;

  /** @param {number} [seed] from 1 to 255: an account for each */
  constructor(seed = 1) {
    this.#key = new Uint8Array(32).fill(seed);
    const point = secp256k1.getPublicKey(this.#key, false);
    this.address = checksummed(bytesToHex(keccak_256(point.subarray(1)).subarray(12)));
  }

  /** Returns the result of `personal_sign` for a text. @param {string} message */
  sign(message) {
    const text = utf8ToBytes(message);
    const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`);
    const digest = keccak_256(concatBytes(prefix, text));
    const [recovery, ...rest] = secp256k1.sign(digest, this.#key, { prehash: false, format: 'recovered' });
    return `0x${bytesToHex(Uint8Array.from(rest))}${(recovery + 27).toString(16)}`;
  }

  /** Answers a request of a page according to EIP-1193. @param {{method: string, params?: string[]}} request */
  async answer({ method, params: [message] = [] }) {
    if (method === 'eth_accounts') return { result: [this.address.toLowerCase()] };
    if (method !== 'personal_sign') return { error: { code: 4200, message: 'Unsupported method' } };
    const text = new TextDecoder().decode(hexToBytes(message.slice(2)));
    this.asked.push(text);
    return (await this.agrees(text)) ? { result: this.sign(text) } : { error: { code: 4001, message: 'User rejected the request' } };
  }

  /** Gives every page of this tab a provider, which announces itself like an extension (EIP-6963), or is only `window.wallet`. @param {import('puppeteer-core').Page} tab @param {{announced?: boolean}} [how] */
  async enter(tab, { announced = true } = {}) {
    await tab.exposeFunction('askWallet', (request) => this.answer(request));
    await tab.evaluateOnNewDocument(provider, announced);
  }
}

/** Runs in the page. @param {boolean} announced */
function provider(announced) {
  const wallet = {
    async request(asked) {
      const { result, error } = await window.askWallet(asked);
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
  };
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'A wallet', icon: 'data:,', rdns: 'example.wallet' };
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider: wallet }) }));
  window.wallet = wallet;
  if (announced) addEventListener('eip6963:requestProvider', announce);
}
