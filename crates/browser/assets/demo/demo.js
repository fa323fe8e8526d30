/** Quest page that integrates the component like any platform. Its server holds the API key. */

import { commandNode, showCommands } from './bots.js';
import { receiptPanel } from './receipt.js';
import { verdictPanel } from './verdict.js';
import { startWallet } from './wallet.js';

/**
 * @typedef {object} Config
 * @property {string} baseUrl
 * @property {string} contextId
 * @property {string} signedContextId
 * @property {string} originSite
 * @property {[string, string]} explain command for the reasons of a verdict, by the context
 * @property {{title: string, command: string, address: string}[]} botCommands
 */

/** @typedef {import('./panel.js').Exchange} Exchange */
/** @typedef {{outcome: string, redeemed: Exchange, verdict: Exchange | null}} Claim */

/** Messages for the outcome of a claim, each with the resulting state of the quest.
 * @type {Record<string, [string, string]>} */
const OUTCOMES = {
  badge: ['claimed', 'The badge is yours. See you at the next light.'],
  review: ['review', 'Thanks! Your claim is waiting for a review.'],
  declined: ['declined', 'We could not complete this claim.'],
  refused: ['ready', 'This claim has no completed check. Please try again.'],
  undecided: ['ready', 'The quest could not look up the verdict. Please try again.'],
};

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const check = /** @type {import('../../types/voight.js').VoightCheck} */ (part('check'));
const claimButton = /** @type {HTMLButtonElement} */ (part('claim'));
const isSigned = new URLSearchParams(location.search).get('wallet') === 'test';
const narrowLayout = matchMedia('(width < 820px)');
const [receipt, verdict] = [receiptPanel(), verdictPanel(isSigned)];

/** @param {string} state @param {string} message */
function show(state, message) {
  part('quest').dataset.state = state;
  part('result').textContent = message;
}

/** @param {string} path @param {object} [body] */
const post = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) });

/** @param {string} contextId @returns {Promise<string>} the wallet of this tab, a wallet from the URL, or a new one */
async function walletAddress(contextId) {
  const fromUrl = new URLSearchParams(location.search).get('address');
  const address = fromUrl ?? sessionStorage.getItem(contextId) ?? (await (await post(isSigned ? '/demo/test-wallet' : '/demo/wallet')).json()).address;
  if (!fromUrl) sessionStorage.setItem(contextId, address);
  return address;
}

/** Shows a wallet and passes it to the component. @param {string} address */
function setWallet(address) {
  check.eoaAddress = address;
  part('address').textContent = `${address.slice(0, 6)}…${address.slice(-4)}`;
  part('address').title = address;
  document.body.dataset.wallet = isSigned ? 'test' : 'sample';
  if (isSigned) startWallet(address);
}

/** Claims the badge at the platform's backend. @returns {Promise<Claim | null>} the result; null if the server does not respond */
async function submitClaim() {
  try {
    const response = await post('/demo/claim', { address: check.eoaAddress, receipt: check.receipt ?? '', signed: isSigned });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Handles a click of the wrapped button like a platform: the backend redeems the receipt, looks up the verdict and decides. */
async function onClaim() {
  claimButton.disabled = true;
  show('claiming', 'Claiming…');
  const claim = await submitClaim();
  claimButton.disabled = false;
  part('receipt-step').hidden = false;
  receipt.show(claim?.redeemed ?? null);
  if (claim?.verdict) verdict.show(claim.verdict);
  show(...OUTCOMES[claim?.outcome ?? 'undecided']);
  if (!narrowLayout.matches) return;
  // The card of the quest is shorter after a claim, so that the verdict fits on the screen together with it.
  part('quest').scrollIntoView();
  part('verdict').scrollIntoView({ block: 'nearest' });
}

/** Adds the event listeners of the page. @param {Config} config */
function addListeners(config) {
  claimButton.addEventListener('click', onClaim);
  part('refresh').addEventListener('click', () => verdict.lookUp(check.eoaAddress));
  part('claim-again').addEventListener('click', () => {
    check.reset();
    show('ready', '');
    claimButton.focus();
  });
  part('wallet').addEventListener('click', () => {
    for (const context of [config.contextId, config.signedContextId]) sessionStorage.removeItem(context);
    location.assign(isSigned ? '/?wallet=test' : '/');
  });
  check.addEventListener('voight-error', (event) => {
    const { code, reference } = /** @type {CustomEvent} */ (event).detail;
    show('ready', `The check failed (${[code, reference].filter(Boolean).join(', ')}).`);
  });
}

async function start() {
  /** @type {Config} */
  const config = await (await fetch('/demo/config')).json();
  const contextId = isSigned ? config.signedContextId : config.contextId;
  Object.assign(check, { baseUrl: config.baseUrl, contextId, originSite: config.originSite });
  setWallet(await walletAddress(contextId));
  await import(`${config.baseUrl}/sdk/v1/voight.js`);
  part('context').textContent = contextId;
  part('receipt').append(receipt.node);
  part('verdict').append(verdict.node);
  part('explain').append(commandNode({ command: config.explain[Number(isSigned)].replace('ADDRESS', check.eoaAddress) }));
  addListeners(config);
  claimButton.disabled = false;
  show('ready', '');
  showCommands(config.botCommands ?? []);
  await verdict.lookUp(check.eoaAddress);
}

start().catch(() => show('failed', 'The demo could not start: its server or the service does not respond. Is `voight demo` still running?'));
