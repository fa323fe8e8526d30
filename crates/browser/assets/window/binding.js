/** Whose check it is: shown by a browser in which the wallet signed before, else by the wallet, if the service asks for it. */

import * as api from './api.js';
import { forget, newKey, recall, remember } from './memory.js';
import * as view from './view.js';

/** @typedef {import('./port.js').Host} Host */

/** How long a page's wallets may take to say which accounts they hold. */
const WALLET_MS = 2000;
/** Failures that a visitor can do something about; the check goes on without, if they like. */
const OWN = ['not_bound', 'unverifiable'];

/** @param {Promise<{challenge: string, remembered?: string}>} binding @returns {Promise<{challenge?: string, remembered?: string, wrong?: string}>} */
const attempt = (binding) => binding.catch((cause) => (OWN.includes(cause.code) ? { wrong: cause.code } : Promise.reject(cause)));

/**
 * The check to go on with: bound to the wallet if that was shown, else as it was opened.
 *
 * @param {Host} host
 * @param {api.Opened} opened
 * @param {Promise<string>} work
 * @param {AbortSignal} signal ends the waiting for a wallet
 * @returns {Promise<api.Opened>}
 */
export async function bind(host, opened, work, signal) {
  const { contextId, eoaAddress } = host.init;
  const name = `${contextId} ${eoaAddress.toLowerCase()}`;
  const remembered = await recall(name, opened.challenge);
  if (remembered) {
    const { challenge } = await attempt(api.bind(opened, await work, { remembered }));
    if (challenge) return { ...opened, challenge };
    await forget(name);
  }
  if (!opened.sign || !(await host.ask('wallet', {}, WALLET_MS))?.ready) return opened;
  host.send({ t: 'state', name: 'sign' });
  return { ...opened, challenge: (await askWallet(host, opened, work, name, signal)) ?? opened.challenge };
}

/**
 * Asks until the wallet has signed or the visitor goes on without.
 *
 * @param {Host} host @param {api.Opened} opened @param {Promise<string>} work @param {string} name @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} the bound challenge
 */
async function askWallet(host, opened, work, name, signal) {
  const { message, code } = /** @type {api.Sign} */ (opened.sign);
  for (let said = 'sign'; ; ) {
    if (said === 'unverifiable') return void (await view.showSign(said, '', ['skip'], signal));
    if ((await view.showSign(said, code, ['signButton', 'skip'], signal)) !== 'signButton') return undefined;
    const signed = host.ask('sign', { message }).then((answer) => ({ signature: answer?.signature }));
    const first = await Promise.race([signed, view.showSign('signing', code, ['skip'], signal)]);
    if (typeof first !== 'object') return undefined;
    if (!first?.signature) {
      said = 'not_signed';
      continue;
    }
    const own = await newKey();
    const shown = { signed: { signature: first.signature, ...(own && { key: own.key }) } };
    const { challenge, remembered, wrong = 'not_bound' } = await attempt(api.bind(opened, await work, shown));
    if (own && remembered) await remember(name, { ...own, token: remembered });
    if (challenge) return challenge;
    said = wrong;
  }
}
