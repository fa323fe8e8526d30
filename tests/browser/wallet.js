// A wallet as an extension puts it into a page: it announces itself, holds one account, and signs when its user agrees. The
// key is with the page's server.

const { address, agrees } = document.currentScript.dataset;

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
addEventListener('eip6963:requestProvider', announce);
announce();
