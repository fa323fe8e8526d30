/** What signs for the address in the host page. Nothing here asks a wallet to connect: it signs where it is connected. */

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */
/** @typedef {{request: (asked: {method: string, params?: unknown[]}) => Promise<any>}} Provider */

/** Wallets announce themselves (EIP-6963) when they are asked to, and when they are loaded later.
 * @type {Set<Provider>} */
const providers = new Set();
addEventListener('eip6963:announceProvider', (event) => {
  const { provider } = /** @type {CustomEvent} */ (event).detail ?? {};
  if (typeof provider?.request === 'function') providers.add(provider);
});
dispatchEvent(new Event('eip6963:requestProvider'));

/** @param {string} text */
const hex = (text) => '0x' + Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {Provider} provider @param {string} address @returns {Promise<Provider>} rejects where it holds another account */
async function holding(provider, address) {
  const accounts = await provider.request({ method: 'eth_accounts' });
  if (accounts.some((/** @type {string} */ account) => account.toLowerCase() === address.toLowerCase())) return provider;
  throw new Error('another account');
}

/**
 * The page's own `signMessage`, else the first wallet that already holds the address, else nothing.
 *
 * @param {VoightCheck} element
 * @returns {Promise<((message: string) => Promise<unknown>) | null>}
 */
export async function signer(element) {
  const { eoaAddress: address, signMessage } = element;
  if (signMessage) return (message) => signMessage(message, { address });
  const provider = await Promise.any([...providers].map((each) => holding(each, address))).catch(() => null);
  return provider && ((message) => provider.request({ method: 'personal_sign', params: [hex(message), address] }));
}
