/** Panel about the verdict of a wallet. */

import { panel } from './panel.js';

/** @typedef {import('./panel.js').Reading} Reading */

/** @param {string} address @param {boolean} signed @returns {Promise<Reading | null>} */
async function look(address, signed) {
  try {
    const asked = new URLSearchParams({ address, signed: String(signed) });
    const response = await fetch(`/demo/verdict?${asked}`, { cache: 'no-store' });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** @param {Reading | null} reading @returns {[string, string, string]} finding, badge, meaning */
function read(reading) {
  const data = reading?.body?.data;
  if (!reading) return ['none', 'No answer', 'The demo’s server does not answer.'];
  if (!data) return ['none', `Error ${reading.status}`, 'The service answered with an error.'];
  const { isBot, confidence } = data;
  if (isBot) return ['bot', 'Bot', `A bot was detected, with confidence ${confidence.score}.`];
  if (confidence.score === 0) return ['none', 'Not known', 'No evidence either way, so no certainty.'];
  return ['human', 'No bot', `No bot was detected, with confidence ${confidence.score}.`];
}

/** @param {boolean} [signed] `true` if the wallet signs */
export function verdictPanel(signed = false) {
  const { node, show } = panel(read, matchMedia('(width >= 820px)').matches);
  return {
    node,
    show,
    /** @param {string} address */
    async ask(address) {
      const reading = await look(address, signed);
      show(reading);
      return reading;
    },
  };
}
