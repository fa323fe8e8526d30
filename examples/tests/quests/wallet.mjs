// Wallet of a visitor, for quests that connect one by a library.
const WAIT_MS = 20000;

/** Connects a wallet with this account, which announces itself to the page (EIP-6963), as a visitor does.
 * @param {import('puppeteer-core').Page} tab @param {string} address
 * @param {(message: string) => unknown} [sign] answers `personal_sign`; without it, the visitor rejects to sign */
export async function connect(tab, address, sign) {
  await tab.exposeFunction('signWith', sign ?? (() => null));
  await tab.evaluate(announce, address);
  await (await tab.waitForSelector('#connect button', { timeout: WAIT_MS })).click();
  // RainbowKit lists the wallets in a dialog, which moves when it opens: a press by the mouse could miss.
  const option = tab.waitForSelector('[data-testid^="rk-wallet-option"]', { timeout: WAIT_MS });
  const clickedOption = option.then((element) => element.evaluate((button) => button.click()));
  await Promise.race([clickedOption.catch(() => {}), shows(tab, address)]);
  await shows(tab, address);
}

/** Waits until the page shows this account. @param {import('puppeteer-core').Page} tab @param {string} address */
export function shows(tab, address) {
  const isShown = (address) => document.querySelector('#account').textContent.toLowerCase() === address.toLowerCase();
  return tab.waitForFunction(isShown, { timeout: WAIT_MS }, address);
}

/** Changes the account in the wallet. @param {import('puppeteer-core').Page} tab @param {string} address */
export async function changeAccount(tab, address) {
  await tab.evaluate((address) => window.changeAccount(address), address);
  await shows(tab, address);
}

/** Runs in the page: announces a wallet with this account. @param {string} address */
function announce(address) {
  let account = address;
  const listeners = new Set();
  const fail = (code, message) => {
    throw Object.assign(new Error(message), { code });
  };
  const provider = {
    async request({ method, params: [message] = [] }) {
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.toLowerCase()];
      if (method === 'eth_chainId') return '0x1';
      if (method === 'wallet_requestPermissions') {
        return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [account.toLowerCase()] }] }];
      }
      if (method !== 'personal_sign') fail(4200, `${method} is not supported`);
      return (await window.signWith(message)) ?? fail(4001, 'The visitor rejects to sign.');
    },
    on: (name, listener) => name === 'accountsChanged' && listeners.add(listener),
    removeListener: (name, listener) => listeners.delete(listener),
  };
  window.changeAccount = (next) => {
    account = next;
    for (const listener of listeners) listener([next.toLowerCase()]);
  };
  // RainbowKit lists only wallets with an image.
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'A wallet', icon, rdns: 'example.wallet' };
  const tell = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', tell);
  tell();
}
