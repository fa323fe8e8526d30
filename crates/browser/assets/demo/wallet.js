/**
 * Test wallet in the page, announced like a wallet extension (EIP-6963). It asks its user before it signs. Its key
 * was created for this demo and is held by the demo's server.
 */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const INFO = Object.freeze({
  uuid: '6c4f3d5e-8f0a-4c39-9c6f-0d5c1d3b7a11',
  name: 'Test wallet of this demo',
  icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
  rdns: 'example.northlight.test-wallet',
});

/** @param {string} hex @returns {string} */
const decodeHex = (hex) => new TextDecoder().decode(Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => parseInt(pair, 16)));

const rejection = () => Object.assign(new Error('The user rejected the request.'), { code: 4001 });

/** @param {string} text @returns {Promise<boolean>} `true` if the user agrees to sign the text */
function askUser(text) {
  const dialog = /** @type {HTMLDialogElement} */ (part('wallet-request'));
  part('wallet-text').textContent = text;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    part('wallet-sign').onclick = () => dialog.close('sign');
    part('wallet-reject').onclick = () => dialog.close();
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'sign'), { once: true });
  });
}

/** Signs a text if the user agrees. @param {string} address @param {string} text */
async function sign(address, text) {
  if (!(await askUser(text))) throw rejection();
  const body = JSON.stringify({ address, text });
  const response = await fetch('/demo/sign', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

/** Announces a wallet that holds this address. @param {string} address */
export function startWallet(address) {
  const provider = {
    /** @param {{method: string, params?: any[]}} call */
    async request({ method, params = [] }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address];
      if (method === 'personal_sign') return sign(address, decodeHex(params[0]));
      throw Object.assign(new Error('This test wallet signs texts only.'), { code: 4200 });
    },
  };
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: INFO, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}
