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

/** Whether the page has an origin: one from a file, or in a sandbox, has none that could be named. */
const named = () => /^http/.test(self.origin);

/** Other origins above the page, where it is framed itself. Not every browser tells. */
const above = () => [...(location.ancestorOrigins ?? [])].filter((origin) => origin !== self.origin).join();

/** @param {VoightCheck} element @returns {string | null} the address of the window's document, null while there is none */
export function documentOf({ baseUrl, contextId, locale }) {
  const origin = service(baseUrl);
  const within = above();
  if (!origin || !contextId || !named()) return null;
  const spoken = nearest([locale, ...navigator.languages]);
  const asked = { context: contextId, origin: self.origin, locale: spoken, ...(within && { within }) };
  return `${origin}/window/v1?${new URLSearchParams(asked)}`;
}

/** @param {VoightCheck} element @returns {string | null} the code of what is wrong first */
export function wrong({ originSite, eoaAddress, contextId, baseUrl, confirm, signMessage }) {
  if (!named()) return 'origin_not_allowed';
  if (ADDRESS.test(contextId)) return 'properties_swapped';
  if (!contextId) return 'context_missing';
  if (!ADDRESS.test(eoaAddress)) return 'address_invalid';
  if (!url(originSite)) return 'origin_site_invalid';
  if (!service(baseUrl)) return 'base_url_invalid';
  return [confirm, signMessage].every((given) => given == null || typeof given === 'function') ? null : 'callback_invalid';
}
