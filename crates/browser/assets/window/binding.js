/** Proof of wallet ownership: by a browser in which the wallet signed before, otherwise by the wallet if the service requires it. */

import * as api from './api.js';
import * as trustedBrowser from './trusted-browser.js';
import * as view from './view.js';

/** @typedef {import('./port.js').Host} Host */
/** @typedef {Promise<{challenge: string, trusted_browser?: string}>} Submission */

/** Timeout for the page's wallets to report their accounts. */
const WALLET_TIMEOUT_MS = 2000;
/** Text of a signature; its length depends on the kind of the account. */
const SIGNATURE = /^0x[\da-f]*$/i;
/** Failures that the visitor can resolve; the visitor may also continue without proof. */
const RECOVERABLE = ['not_bound', 'unverifiable'];

/** @param {Submission} submission @returns {Promise<{challenge?: string, trusted_browser?: string, error?: string}>} a recoverable failure as `error` */
const recover = (submission) =>
  submission.catch((cause) => (RECOVERABLE.includes(cause.code) ? { error: cause.code } : Promise.reject(cause)));

/**
 * Returns the check to continue with: with proof of wallet ownership if it was given, otherwise as it was opened.
 *
 * @param {Host} host
 * @param {api.OpenedCheck} check
 * @param {Promise<string>} work
 * @param {AbortSignal} signal stops waiting for a wallet
 * @returns {Promise<api.OpenedCheck>}
 */
export async function bind(host, check, work, signal) {
  const { contextId, eoaAddress } = host.init;
  const name = `${contextId} ${eoaAddress.toLowerCase()}`;
  const trusted = await trustedBrowser.load(name, check.challenge);
  if (trusted) {
    const { challenge } = await recover(api.proveOwnership(check, await work, { trusted_browser: trusted }));
    if (challenge) return { ...check, challenge };
    await trustedBrowser.remove(name);
  }
  if (!check.sign || !(await host.ask('wallet', {}, WALLET_TIMEOUT_MS))?.ready) return check;
  host.send({ t: 'state', name: 'sign' });
  return { ...check, challenge: (await askWallet(host, check, work, name, signal)) ?? check.challenge };
}

/**
 * Asks the wallet until it has signed or the visitor continues without.
 *
 * @param {Host} host @param {api.OpenedCheck} check @param {Promise<string>} work @param {string} name @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} challenge of the check with proof of ownership
 */
async function askWallet(host, check, work, name, signal) {
  const { message, code } = /** @type {api.SignRequest} */ (check.sign);
  for (let prompt = 'sign'; ; ) {
    if (prompt === 'unverifiable') return void (await view.showSign(prompt, '', ['skip'], signal));
    if ((await view.showSign(prompt, code, ['signButton', 'skip'], signal)) !== 'signButton') return undefined;
    const signing = host.ask('sign', { message }).then((reply) => ({ signature: reply?.signature }));
    const outcome = await Promise.race([signing, view.showSign('signing', code, ['skip'], signal)]);
    if (outcome === null || typeof outcome !== 'object') return undefined;
    if (!SIGNATURE.test(outcome.signature ?? '')) {
      prompt = 'not_signed';
      continue;
    }
    const frameKey = await trustedBrowser.newKey();
    const proof = { signed: { signature: outcome.signature, ...(frameKey && { key: frameKey.key }) } };
    const { challenge, trusted_browser: token, error = 'not_bound' } = await recover(api.proveOwnership(check, await work, proof));
    if (frameKey && token) await trustedBrowser.save(name, { ...frameKey, token });
    if (challenge) return challenge;
    prompt = error;
  }
}
