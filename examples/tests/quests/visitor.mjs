// Visitors of a quest in an automated browser.
import { press as choose } from '../../../tests/e2e/pages/lib/failure.mjs';
import { press } from '../../../tests/e2e/pages/lib/quest.mjs';
import { changeAccount, connect } from './wallet.mjs';

const WAIT_MS = 20000;
const BUTTON = '#claim:not([disabled])';

/** Opens a quest for a visitor; appends everything that the example sends to the browser to `seen`.
 * @param {import('puppeteer-core').Browser} browser @param {string} url */
async function open(browser, url) {
  const tab = await browser.newPage();
  const seenTexts = [];
  tab.on('response', async (response) => {
    if (new URL(response.url()).host === new URL(url).host) seenTexts.push(await response.text().catch(() => ''));
  });
  await tab.evaluateOnNewDocument('window.events = []');
  await tab.goto(url);
  await tab.waitForSelector(BUTTON, { timeout: WAIT_MS });
  await tab.waitForFunction(() => customElements.get('voight-check'), { timeout: WAIT_MS });
  return { tab, seen: seenTexts };
}

/** Enters or connects the wallet, unless the quest knows it already.
 * @param {import('puppeteer-core').Page} tab @param {string | undefined} address */
async function name(tab, address) {
  if (!address) return;
  const field = await tab.$('#address');
  await (field ? field.type(address) : connect(tab, address));
}

/** Clicks Continue, which the dialog shows after a check of more than five seconds.
 * @param {import('puppeteer-core').Page} tab */
function clickContinue(tab) {
  const button = () => {
    const check = document.querySelector('voight-check');
    const [found] = check.state === 'verified' ? check.shadowRoot.querySelectorAll('.panel button') : [];
    return found?.checkVisibility() && found;
  };
  tab.waitForFunction(button, { timeout: 2 * WAIT_MS }).then((found) => found.click(), () => {});
}

/** Claims the badge as a visitor does.
 * @param {import('puppeteer-core').Browser} browser @param {string} url @param {string} [address]
 * @returns {Promise<{address: string, receipt: string, status: number, message: string, seen: string[]}>} */
export async function visit(browser, url, address) {
  const { tab, seen } = await open(browser, url);
  await name(tab, address);
  const claims = new URL('/badges', url).href;
  const claimResponse = tab.waitForResponse((response) => response.url() === claims, { timeout: 2 * WAIT_MS });
  await (await tab.$(BUTTON)).click();
  await press(tab);
  clickContinue(tab);
  const response = await claimResponse;
  await tab.waitForFunction(() => document.querySelector('#answer').textContent, { timeout: WAIT_MS });
  const message = await tab.$eval('#answer', (answer) => answer.textContent);
  const requestBody = JSON.parse(response.request().postData());
  await tab.close();
  return { ...requestBody, status: response.status(), message, seen };
}

/** Completes a check without a claim.
 * @param {import('puppeteer-core').Browser} browser @param {string} url @param {string} address
 * @returns {Promise<string>} the unredeemed receipt */
export async function check(browser, url, address) {
  const { tab } = await open(browser, url);
  await name(tab, address);
  await tab.$eval('voight-check', (element) => (element.replayClick = false));
  await (await tab.$(BUTTON)).click();
  await press(tab);
  await tab.waitForFunction(() => document.querySelector('voight-check').receipt, { timeout: WAIT_MS });
  const receipt = await tab.$eval('voight-check', (element) => element.receipt);
  await tab.close();
  return receipt;
}

/** Completes a check whose message the connected wallet signs by the library of the quest.
 * @param {import('puppeteer-core').Browser} browser @param {string} url @param {import('../../../tests/e2e/pages/lib/wallet.mjs').Wallet} wallet
 * @returns {Promise<string>} the unredeemed receipt */
export async function signedCheck(browser, url, wallet) {
  const { tab } = await open(browser, url);
  const answer = async (message) => (await wallet.answer({ method: 'personal_sign', params: [message] })).result;
  await connect(tab, wallet.address, answer);
  await tab.$eval('voight-check', (element) => (element.replayClick = false));
  await (await tab.$(BUTTON)).click();
  await choose(tab, 'sign', 'signButton');
  await press(tab);
  await tab.waitForFunction(() => document.querySelector('voight-check').receipt, { timeout: WAIT_MS });
  const receipt = await tab.$eval('voight-check', (element) => element.receipt);
  await tab.close();
  return receipt;
}

/** Completes a check, then changes the account in the wallet.
 * @param {import('puppeteer-core').Browser} browser @param {string} url @param {[string, string]} accounts
 * @returns {Promise<{state: string, receipt: string | null, eoaAddress: string}>} the component after the change */
export async function checkBeforeChange(browser, url, [before, after]) {
  const { tab } = await open(browser, url);
  await connect(tab, before);
  await tab.$eval('voight-check', (element) => (element.replayClick = false));
  await (await tab.$(BUTTON)).click();
  await press(tab);
  await tab.waitForFunction(() => document.querySelector('voight-check').receipt, { timeout: WAIT_MS });
  await changeAccount(tab, after);
  const component = await tab.$eval('voight-check', ({ state, receipt, eoaAddress }) => ({ state, receipt, eoaAddress }));
  await tab.close();
  return component;
}
