/** Finds a signer for the address in the host page. No wallet is asked to connect: only a connected wallet signs. */

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */
/** @typedef {{request: (call: {method: string, params?: unknown[]}) => Promise<any>}} Provider */

/** Wallets that announced themselves (EIP-6963), on request or when they were loaded later.
 * @type {Set<Provider>} */
const providers = new Set();
addEventListener('eip6963:announceProvider', (event) => {
  const { provider } = /** @type {CustomEvent} */ (event).detail ?? {};
  if (typeof provider?.request === 'function') providers.add(provider);
});
dispatchEvent(new Event('eip6963:requestProvider'));

/** @param {string} text */
const hex = (text) => '0x' + Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {Provider} provider @param {string} address @returns {Promise<Provider>} rejects if the wallet holds another account */
async function requireAccount(provider, address) {
  const accounts = await provider.request({ method: 'eth_accounts' });
  if (accounts.some((/** @type {string} */ account) => account.toLowerCase() === address.toLowerCase())) return provider;
  throw new Error('another account');
}

/**
 * Returns the page's own `signMessage`, otherwise the first wallet that already holds the address, otherwise null.
 *
 * @param {VoightCheck} element
 * @returns {Promise<((message: string) => Promise<unknown>) | null>}
 */
export async function findSigner(element) {
  const { eoaAddress: address, signMessage } = element;
  if (signMessage) return (message) => signMessage(message, { address });
  const provider = await Promise.any([...providers].map((each) => requireAccount(each, address))).catch(() => null);
  return provider && ((message) => provider.request({ method: 'personal_sign', params: [hex(message), address] }));
}
