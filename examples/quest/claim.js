// Grants the badge to a visitor who has just completed a check for this wallet and is a human.
import { getVerdict } from '@voight/check/server';

/** Lowest score that supports a human. Below it the checks of a wallet say nothing about its owner. */
const MIN_SCORE = 0.1;
const DECISIONS = {
  human: { status: 200, message: 'The badge is yours.' },
  // Missing evidence: a bot that has not been checked looks the same, so the badge waits, and no visitor is rejected.
  unknown: { status: 202, message: 'Thanks! Your claim is waiting for a review.' },
  // Never reveal the findings: a bot could use them to improve.
  bot: { status: 403, message: 'We could not complete this claim.' },
};
const INVALID_ADDRESS = { status: 400, message: 'This is not the address of a wallet.' };
const NOT_CHECKED = { status: 403, message: 'Complete the check for this wallet, then claim again.' };
const UNAVAILABLE = { status: 503, message: 'The quest is busy. Please try again in a minute.' };

/** Decides on a claim that a page sent. @returns {Promise<{status: number, message: string}>} */
export async function claim({ service, apiKey, contextId }, { address, receipt }) {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return INVALID_ADDRESS;
  try {
    const { verdict, score } = await getVerdict({ baseUrl: service, apiKey, contextId, eoaAddress: address, receipt });
    return DECISIONS[verdict === 'human' && score < MIN_SCORE ? 'unknown' : verdict];
  } catch (error) {
    if (error.code?.startsWith('receipt_')) return NOT_CHECKED;
    // Without a verdict the badge is not granted.
    if (error.outage) return UNAVAILABLE;
    throw error;
  }
}
