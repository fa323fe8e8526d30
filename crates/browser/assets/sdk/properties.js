/** What the page says about itself, and what is wrong with it. */

import { nearest } from './languages.js';

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** @param {string} text @returns {URL | null} */
function url(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The service's origin, null unless it is given as one. The window's own addresses begin at its root.
 * @param {string} given @returns {string | null} */
function service(given) {
  const base = url(given || new URL(import.meta.url).origin);
  return base && /^https?:$/.test(base.protocol) && base.pathname === '/' ? base.origin : null;
}

/** @param {VoightCheck} element @returns {string | null} the address of the window's document, null while there is none */
export function documentOf({ baseUrl, contextId, locale }) {
  const origin = service(baseUrl);
  if (!origin || !contextId) return null;
  const asked = { context: contextId, origin: location.origin, locale: nearest([locale, ...navigator.languages]) };
  return `${origin}/window/v1?${new URLSearchParams(asked)}`;
}

/** @param {VoightCheck} element @returns {string | null} the code of what is wrong first */
export function wrong({ originSite, eoaAddress, contextId, baseUrl, confirm, signMessage }) {
  if (ADDRESS.test(contextId)) return 'properties_swapped';
  if (!contextId) return 'context_missing';
  if (!ADDRESS.test(eoaAddress)) return 'address_invalid';
  if (!url(originSite)) return 'origin_site_invalid';
  if (!service(baseUrl)) return 'base_url_invalid';
  return [confirm, signMessage].every((given) => given == null || typeof given === 'function') ? null : 'callback_invalid';
}
