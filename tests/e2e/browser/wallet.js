// Wallet with one account. It signs if its user agrees; the page's server has the key. It announces itself like an extension
// (EIP-6963), or the page passes it to the component.

const { address, agrees, own } = document.currentScript.dataset;

const provider = {
  async request({ method, params }) {
    if (method === 'eth_accounts') return [address.toLowerCase()];
    if (method !== 'personal_sign' || agrees !== 'true') throw Object.assign(new Error('refused'), { code: 4001 });
    const answer = await fetch(`/sign?${new URLSearchParams({ message: params[0] })}`);
    return answer.text();
  },
};
const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'A wallet', icon: 'data:,', rdns: 'example.wallet' };

const announce = () =>
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
const passToComponent = () => {
  document.querySelector('voight-check').signMessage = (message, account) =>
    provider.request({ method: 'personal_sign', params: [hex(message), account.address] });
};
const hex = (text) => '0x' + Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

if (own === 'true') {
  addEventListener('DOMContentLoaded', passToComponent);
} else {
  addEventListener('eip6963:requestProvider', announce);
  announce();
}
