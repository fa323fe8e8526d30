/** Quest page that integrates the component like any platform. Its server holds the API key. */

import { commandNode, commands } from './bots.js';
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

/** @typedef {import('./panel.js').Reading} Reading */
/** @typedef {{outcome: string, redeemed: Reading, verdict: Reading | null}} Claimed */

/** Messages for the outcome of a claim, each with the resulting state of the quest.
 * @type {Record<string, [string, string]>} */
const OUTCOMES = {
  badge: ['claimed', 'The badge is yours. See you at the next light.'],
  review: ['review', 'Thanks! Your claim is waiting for a review.'],
  refused: ['ready', 'This claim comes without a completed check. Please try again.'],
  undecided: ['ready', 'The quest could not ask for the verdict. Please try again.'],
};

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const check = /** @type {import('../../types/voight.js').VoightCheck} */ (part('check'));
const claim = /** @type {HTMLButtonElement} */ (part('claim'));
const signed = new URLSearchParams(location.search).get('wallet') === 'test';
const narrow = matchMedia('(width < 820px)');
const [receipt, verdict] = [receiptPanel(), verdictPanel(signed)];

/** @param {string} state @param {string} message */
function show(state, message) {
  part('quest').dataset.state = state;
  part('result').textContent = message;
}

/** @param {string} path @param {object} [body] */
const post = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) });

/** @param {string} contextId @returns {Promise<string>} the wallet of this tab, a wallet from the URL, or a new one */
async function wallet(contextId) {
  const named = new URLSearchParams(location.search).get('address');
  const known = named ?? sessionStorage.getItem(contextId);
  const address = known ?? (await (await post(signed ? '/demo/test-wallet' : '/demo/wallet')).json()).address;
  if (!named) sessionStorage.setItem(contextId, address);
  return address;
}

/** @param {string} address */
function use(address) {
  check.eoaAddress = address;
  part('address').textContent = `${address.slice(0, 6)}…${address.slice(-4)}`;
  part('address').title = address;
  document.body.dataset.wallet = signed ? 'test' : 'sample';
  if (signed) startWallet(address);
}

/** @returns {Promise<Claimed | null>} result of the claim at the platform's backend */
async function claimed() {
  try {
    const answer = await post('/demo/claim', { address: check.eoaAddress, receipt: check.receipt ?? '', signed });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Handles a click of the wrapped button like a platform: the backend redeems the receipt, looks up the verdict and decides. */
async function onClaim() {
  claim.disabled = true;
  show('asking', 'Claiming…');
  const answer = await claimed();
  claim.disabled = false;
  part('receipt-step').hidden = false;
  receipt.show(answer?.redeemed ?? null);
  if (answer?.verdict) verdict.show(answer.verdict);
  show(...OUTCOMES[answer?.outcome ?? 'undecided']);
  if (!narrow.matches) return;
  // The quest is short now, so that the verdict fits on the screen together with it.
  part('quest').scrollIntoView();
  part('mine').scrollIntoView({ block: 'nearest' });
}

/** @param {Config} config */
function listen(config) {
  claim.addEventListener('click', onClaim);
  part('refresh').addEventListener('click', () => verdict.ask(check.eoaAddress));
  part('again').addEventListener('click', () => {
    check.reset();
    show('ready', '');
    claim.focus();
  });
  part('wallet').addEventListener('click', () => {
    for (const context of [config.contextId, config.signedContextId]) sessionStorage.removeItem(context);
    location.assign(signed ? '/?wallet=test' : '/');
  });
  check.addEventListener('voight-error', (event) => {
    const { code, reference } = /** @type {CustomEvent} */ (event).detail;
    show('ready', `The check did not finish (${[code, reference].filter(Boolean).join(', ')}).`);
  });
}

async function begin() {
  /** @type {Config} */
  const config = await (await fetch('/demo/config')).json();
  const contextId = signed ? config.signedContextId : config.contextId;
  Object.assign(check, { baseUrl: config.baseUrl, contextId, originSite: config.originSite });
  use(await wallet(contextId));
  await import(`${config.baseUrl}/sdk/v1/voight.js`);
  part('context').textContent = contextId;
  part('receipt').append(receipt.node);
  part('mine').append(verdict.node);
  part('why').append(commandNode({ command: config.explain[Number(signed)].replace('ADDRESS', check.eoaAddress) }));
  listen(config);
  claim.disabled = false;
  show('ready', '');
  commands(config.botCommands ?? []);
  await verdict.ask(check.eoaAddress);
}

begin().catch(() => show('failed', 'The demo could not start: its server or the service does not answer. Is `voight demo` still running?'));
