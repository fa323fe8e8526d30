/**
 * Explanations for the page's developer: one message in the console for each error and each mistake, with its remedy and the address of
 * its documentation. The table is the one of `docs/reference/component.md`; this module is loaded with the first message.
 */

/** @typedef {import('../../types/voight.js').VoightCheck} VoightCheck */

/** Remedy for each error code. @type {Record<string, string>} */
const ERRORS = {
  context_missing: 'set contextId',
  properties_swapped: 'contextId contains an address: exchange the two properties',
  origin_site_invalid: 'set originSite to a complete URL, such as location.href, or remove it',
  base_url_invalid: 'set baseUrl to an origin, such as https://voight.example',
  callback_invalid: 'set confirm and signMessage to functions',
  not_connected: 'insert the element into the document before verify()',
  properties_changed: 'retry: the address, the context or the service changed while the window was open',
  origin_not_allowed: "register this page's origin: voight client origins NAME --set …; pages from files have no origin to register",
  origin_mismatch: 'remove originSite, or set it to a URL of the page that hosts the component',
  context_unknown: 'register the context, with the key that looks up',
  context_closed: 'the context opens no new checks: it is archived, or its client is suspended or closed. Use another context, or ask the operator',
  address_invalid: 'set 0x and 40 hexadecimal digits; in mixed case the checksum must be correct',
  session_invalid: 'request another session from your backend, for this address and context',
  frame_forbidden: 'add the origin of the service to frame-src of your content security policy',
  window_blocked:
    'check that baseUrl is the address of a running service; then ask the visitor to check content blockers, and check whether a proxy strips headers',
  network: 'retry: the visitor is offline, or the service is unreachable',
  rate_limited: 'retry in a minute: many checks come from this network',
  session_expired: 'retry: the window was open for longer than five minutes',
  unsupported_browser: 'ask for another browser: this one lacks <dialog> or constructed style sheets',
  check_failed: "retry: the service rejected the check; the operator's log has the reason under reference",
  internal: 'report reference to the operator',
};

/** Remedy for each mistake that is reported in the console only. @type {Record<string, string>} */
const MISTAKES = {
  wallet_required: 'set eoaAddress, or connect a wallet on voight-walletrequired',
  window_silent: 'the service has not answered for 2.5 seconds: check that baseUrl is the address of a running service',
  attribute_misspelled: 'write attributes in lower case with hyphens, such as eoa-address: HTML ignores capital letters',
  attribute_ignored: 'set confirm, signMessage and labels as properties of the element: an attribute cannot contain them',
  attribute_invalid: 'set theme to auto, light or dark, preload to intent, mount or open, and locale to a language tag such as pt-BR',
  nested: 'use one element for each button: an element inside another one is ignored',
};

/** @type {Record<string, RegExp>} */
const ATTRIBUTES = {
  attribute_misspelled: /^(originsite|eoaaddress|contextid|baseurl|replayclick)=/,
  attribute_ignored: /^(confirm|labels|sign-?message)=/,
  attribute_invalid: /^(theme=(?!(auto|light|dark)?$)|preload=(?!(intent|mount|open)?$))/,
};

/** Messages that an element has caused; each is written once. @type {WeakMap<VoightCheck, Set<string>>} */
const written = new WeakMap();

/** Returns the address of the documentation, which the service serves. @param {VoightCheck} element @param {string} anchor */
function documentation({ baseUrl }, anchor) {
  const isServed = /\/sdk\/v1\/[^/]+$/.test(import.meta.url);
  const base = isServed ? import.meta.url.replace(/sdk\/v1\/[^/]+$/, '') : baseUrl.replace(/\/*$/, '/');
  return `${base}docs/reference/component.html#${anchor}`;
}

/** @param {VoightCheck} element @param {string} code @param {string} detail */
function write(element, code, detail) {
  const isError = Object.hasOwn(ERRORS, code);
  const remedy = (isError ? ERRORS : MISTAKES)[code] ?? 'report it to the operator';
  const address = documentation(element, isError ? 'errors' : 'messages-in-the-console');
  console.error(`voight-check: ${code}${detail && ` (${detail})`}: ${remedy}\n${address}`, element);
}

/** Writes the mistakes in the attributes and the place of an element, each once. @param {VoightCheck} element */
function writeMistakes(element) {
  const known = written.get(element) ?? new Set();
  written.set(element, known);
  const writeOnce = (/** @type {string} */ code, /** @type {string} */ detail) => {
    if (known.has(code + detail)) return;
    known.add(code + detail);
    write(element, code, detail);
  };
  for (const { name, value } of element.attributes) {
    const entry = Object.entries(ATTRIBUTES).find(([, pattern]) => pattern.test(`${name}=${value}`));
    if (entry) writeOnce(entry[0], entry[0] === 'attribute_invalid' ? `${name}="${value}"` : name);
    if (name === 'locale' && !isLanguageTag(value)) writeOnce('attribute_invalid', `${name}="${value}"`);
  }
  if (element.parentElement?.closest('voight-check')) writeOnce('nested', '');
}

/** @param {string} tag @returns {boolean} `true` for a language tag, and for an empty text */
function isLanguageTag(tag) {
  try {
    return tag === '' || Boolean(new Intl.Locale(tag));
  } catch {
    return false;
  }
}

/** Explains an error of an element, and the mistakes in its attributes. @param {VoightCheck} element @param {string} [code] @param {string} [reference] */
export function report(element, code, reference) {
  writeMistakes(element);
  if (code) write(element, code, reference ? `reference ${reference}` : '');
}
