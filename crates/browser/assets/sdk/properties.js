/** Validates the properties that the page sets. */

import { selectLanguage } from './languages.js';

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** @param {string} text @returns {URL | null} */
function parseUrl(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Returns the service's origin, or null if the value is not an origin. The window's paths begin at the root of the service.
 * @param {string} baseUrl @returns {string | null} */
function serviceOrigin(baseUrl) {
  const url = parseUrl(baseUrl || new URL(import.meta.url).origin);
  return url && /^https?:$/.test(url.protocol) && url.pathname === '/' ? url.origin : null;
}

/** Returns `true` if the page has an origin: a page from a file, or in a sandbox, has none. */
const hasOrigin = () => /^http/.test(self.origin);

/** Returns the other origins above the page if the page itself is framed. Not every browser reports them. */
const ancestorOrigins = () => [...(location.ancestorOrigins ?? [])].filter((origin) => origin !== self.origin).join();

/** @param {VoightCheck} element @returns {string | null} URL of the window's document; null if a property is missing */
export function windowUrl({ baseUrl, contextId, locale }) {
  const service = serviceOrigin(baseUrl);
  if (!service || !contextId || !hasOrigin()) return null;
  const within = ancestorOrigins();
  const language = selectLanguage([locale, ...navigator.languages]);
  const query = { context: contextId, origin: self.origin, locale: language, ...(within && { within }) };
  return `${service}/window/v1?${new URLSearchParams(query)}`;
}

/** Returns address, context and service of an element, equal for equal values in another spelling.
 * @param {VoightCheck} element */
export const identity = ({ eoaAddress, contextId, baseUrl }) => [eoaAddress.toLowerCase(), contextId, serviceOrigin(baseUrl)].join();

/** @param {VoightCheck} element @returns {string | null} code of the first error */
export function validate({ originSite, eoaAddress, contextId, baseUrl, confirm, signMessage }) {
  if (!hasOrigin()) return 'origin_not_allowed';
  if (ADDRESS.test(contextId)) return 'properties_swapped';
  if (!contextId) return 'context_missing';
  if (!ADDRESS.test(eoaAddress)) return 'address_invalid';
  if (originSite && !parseUrl(originSite)) return 'origin_site_invalid';
  if (!serviceOrigin(baseUrl)) return 'base_url_invalid';
  return [confirm, signMessage].every((value) => value == null || typeof value === 'function') ? null : 'callback_invalid';
}
