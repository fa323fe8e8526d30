/** Panel about the receipt of a check. */

import { panel } from './panel.js';

const MEANINGS = {
  used: 'This receipt was redeemed before. Each is good for one claim.',
  expired: 'This receipt is too old: ten minutes are enough to claim.',
  forged: 'This receipt is not one of ours, or is another customer’s.',
};

/** @param {import('./panel.js').Reading | null} reading @returns {[string, string, string]} finding, badge, meaning */
function read(reading) {
  const { status, bound } = reading?.body?.data ?? {};
  if (!reading) return ['none', 'No answer', 'The demo’s server does not answer.'];
  if (status === 'valid' && bound) return ['human', 'Valid, bound', 'A check was completed, and the wallet has shown that it is the visitor’s.'];
  if (status === 'valid') return ['human', 'Valid', 'A check was completed in the name of this wallet. Whose the wallet is was not asked.'];
  const meaning = MEANINGS[/** @type {keyof typeof MEANINGS} */ (status)];
  return ['none', meaning ? status : `Error ${reading.status}`, meaning ?? 'The service answered with an error.'];
}

export const receiptPanel = () => panel(read, false);
