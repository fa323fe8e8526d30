/** Panel about the verdict of a wallet. */

import { createPanel } from './panel.js';

/** @typedef {import('./panel.js').Exchange} Exchange */

/** Lowest score that supports a human. */
const MIN_SCORE = 0.1;

/** @param {string} address @param {boolean} signed @returns {Promise<Exchange | null>} null if the demo's server does not respond */
async function lookUp(address, signed) {
  try {
    const query = new URLSearchParams({ address, signed: String(signed) });
    const response = await fetch(`/demo/verdict?${query}`, { cache: 'no-store' });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** @param {Exchange | null} exchange @returns {[string, string, string]} finding, badge, meaning */
function describe(exchange) {
  const data = exchange?.body?.data;
  if (!exchange) return ['none', 'No response', 'The demo’s server does not respond.'];
  if (!data) return ['none', `Error ${exchange.status}`, 'The service responded with an error.'];
  const { isBot, confidence } = data;
  if (isBot) return ['bot', 'Bot', `A bot was detected, with confidence ${confidence.score}.`];
  if (confidence.score === 0) return ['none', 'Unknown', 'No evidence for either, so the score is 0.'];
  if (confidence.score < MIN_SCORE) return ['none', 'Unsure', `The evidence supports neither, with confidence ${confidence.score}.`];
  return ['human', 'No bot', `No bot was detected, with confidence ${confidence.score}.`];
}

/** @param {boolean} [signed] `true` if the wallet signs */
export function verdictPanel(signed = false) {
  const { node, show } = createPanel(describe, matchMedia('(width >= 820px)').matches);
  return {
    node,
    show,
    /** @param {string} address */
    async lookUp(address) {
      const exchange = await lookUp(address, signed);
      show(exchange);
      return exchange;
    },
  };
}
