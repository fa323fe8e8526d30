/** Validates the properties that the page sets. */

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

/** Returns the service's origin, or null if the value is not an origin. The window's paths begin at the root of the service.
 * @param {string} given @returns {string | null} */
function service(given) {
  const base = url(given || new URL(import.meta.url).origin);
  return base && /^https?:$/.test(base.protocol) && base.pathname === '/' ? base.origin : null;
}

/** Returns `true` if the page has an origin: a page from a file, or in a sandbox, has none. */
const named = () => /^http/.test(self.origin);

/** Returns the other origins above the page if the page itself is framed. Not every browser reports them. */
const above = () => [...(location.ancestorOrigins ?? [])].filter((origin) => origin !== self.origin).join();

/** @param {VoightCheck} element @returns {string | null} URL of the window's document; null if a property is missing */
export function documentOf({ baseUrl, contextId, locale }) {
  const origin = service(baseUrl);
  const within = above();
  if (!origin || !contextId || !named()) return null;
  const spoken = nearest([locale, ...navigator.languages]);
  const asked = { context: contextId, origin: self.origin, locale: spoken, ...(within && { within }) };
  return `${origin}/window/v1?${new URLSearchParams(asked)}`;
}

/** @param {VoightCheck} element @returns {string | null} code of the first error */
export function wrong({ originSite, eoaAddress, contextId, baseUrl, confirm, signMessage }) {
  if (!named()) return 'origin_not_allowed';
  if (ADDRESS.test(contextId)) return 'properties_swapped';
  if (!contextId) return 'context_missing';
  if (!ADDRESS.test(eoaAddress)) return 'address_invalid';
  if (!url(originSite)) return 'origin_site_invalid';
  if (!service(baseUrl)) return 'base_url_invalid';
  return [confirm, signMessage].every((given) => given == null || typeof given === 'function') ? null : 'callback_invalid';
}
