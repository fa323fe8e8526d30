/** Panel about the receipt of a check. */

import { createPanel } from './panel.js';

const MEANINGS = {
  used: 'This receipt was redeemed before. A receipt is valid for one claim.',
  expired: 'This receipt is older than ten minutes.',
  forged: 'This receipt is not signed by the service, or belongs to another client.',
};

/** @param {import('./panel.js').Exchange | null} exchange @returns {[string, string, string]} finding, badge, meaning */
function describe(exchange) {
  const { status, owned } = exchange?.body?.data ?? {};
  if (!exchange) return ['none', 'No response', 'The demo’s server does not respond.'];
  if (status === 'valid' && owned) return ['human', 'Valid, wallet owned', 'A check was completed, and the wallet signed for it.'];
  if (status === 'valid') return ['human', 'Valid', 'A check was completed for this wallet, without proof of ownership.'];
  const meaning = MEANINGS[/** @type {keyof typeof MEANINGS} */ (status)];
  return ['none', meaning ? status : `Error ${exchange.status}`, meaning ?? 'The service responded with an error.'];
}

export const receiptPanel = () => createPanel(describe, false);
