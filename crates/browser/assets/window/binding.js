/** Proof of wallet ownership: by a browser in which the wallet signed before, otherwise by the wallet if the service requires it. */

import * as api from './api.js';
import { forget, newKey, recall, remember } from './memory.js';
import * as view from './view.js';

/** @typedef {import('./port.js').Host} Host */

/** Timeout for the page's wallets to report their accounts. */
const WALLET_MS = 2000;
/** Failures that the visitor can resolve; the visitor may also continue without proof. */
const OWN = ['not_bound', 'unverifiable'];

/** @param {Promise<{challenge: string, remembered?: string}>} binding @returns {Promise<{challenge?: string, remembered?: string, wrong?: string}>} */
const attempt = (binding) => binding.catch((cause) => (OWN.includes(cause.code) ? { wrong: cause.code } : Promise.reject(cause)));

/**
 * Returns the check to continue with: with proof of wallet ownership if it was given, otherwise as it was opened.
 *
 * @param {Host} host
 * @param {api.Opened} opened
 * @param {Promise<string>} work
 * @param {AbortSignal} signal stops waiting for a wallet
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
 * Asks the wallet until it has signed or the visitor continues without.
 *
 * @param {Host} host @param {api.Opened} opened @param {Promise<string>} work @param {string} name @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} challenge of the check with proof of ownership
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
