/** A quest page that integrates the component as any platform would. Its server holds the API key. */

import { commands } from './bots.js';
import { verdictPanel } from './verdict.js';

/**
 * @typedef {object} Config
 * @property {string} baseUrl
 * @property {string} contextId
 * @property {string} contextTitle
 * @property {string} originSite
 * @property {{title: string, command: string, address: string}[]} botCommands
 */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const check = /** @type {import('../../types/voight.js').VoightCheck} */ (part('check'));
const claim = /** @type {HTMLButtonElement} */ (part('claim'));
const panel = verdictPanel();

/** @param {string} state @param {string} message */
function show(state, message) {
  part('quest').dataset.state = state;
  part('result').textContent = message;
}

/** @param {string} contextId @returns {Promise<string>} the wallet of this tab, a named one, or a new one */
async function wallet(contextId) {
  const named = new URLSearchParams(location.search).get('address');
  const known = named ?? sessionStorage.getItem(contextId);
  const address = known ?? (await (await fetch('/demo/wallet', { method: 'POST' })).json()).address;
  if (!named) sessionStorage.setItem(contextId, address);
  return address;
}

/** @param {string} address */
function use(address) {
  check.eoaAddress = address;
  part('address').textContent = `${address.slice(0, 6)}…${address.slice(-4)}`;
  part('address').title = address;
}

/** What a platform does when the wrapped button is clicked: its backend asks, and decides. */
async function onClaim() {
  claim.disabled = true;
  show('asking', 'Claiming…');
  const answer = await panel.ask(check.eoaAddress);
  const verdict = answer?.body?.data;
  claim.disabled = false;
  if (!verdict) return show('ready', 'The quest could not ask for the verdict. Please try again.');
  if (verdict.isBot) return show('review', 'Thanks! Your claim is waiting for a review.');
  show('claimed', 'The badge is yours. See you at the next light.');
}

async function begin() {
  /** @type {Config} */
  const config = await (await fetch('/demo/config')).json();
  Object.assign(check, { baseUrl: config.baseUrl, contextId: config.contextId, originSite: config.originSite });
  use(await wallet(config.contextId));
  await import(`${config.baseUrl}/sdk/v1/voight.js`);
  part('context').textContent = config.contextId;
  part('mine').append(panel.node);
  claim.addEventListener('click', onClaim);
  claim.disabled = false;
  show('ready', '');
  part('refresh').addEventListener('click', () => panel.ask(check.eoaAddress));
  part('wallet').addEventListener('click', () => {
    sessionStorage.removeItem(config.contextId);
    location.assign(location.pathname);
  });
  check.addEventListener('voight-error', (event) => {
    const { code, reference } = /** @type {CustomEvent} */ (event).detail;
    show('ready', `The check did not finish (${[code, reference].filter(Boolean).join(', ')}).`);
  });
  commands(config.botCommands ?? []);
  await panel.ask(check.eoaAddress);
}

begin().catch((cause) => {
  show('failed', 'The demo could not start: its server or the service does not answer. Is `voight demo` still running?');
  throw cause;
});
