/** Verifies webhooks of the service: requests that are signed by Standard Webhooks 1.0. */

import { VerdictError } from './error.js';
import { unsupportedRuntime } from './keys.js';
import { requireOption } from './options.js';

/**
 * @typedef {object} WebhookRequest
 * @property {string | Uint8Array} body body as it was received, before it is parsed
 * @property {Headers | Record<string, string | string[] | undefined>} headers headers of the request, in any case
 * @property {string | string[]} keys keys of the endpoint: `whsec_…` or `whpk_…`; several during a rotation
 * @property {Date} [now] current time; default: the clock of the system
 * @property {number} [toleranceMs] maximum difference between `now` and the time of the request in milliseconds; default 300,000
 */

/**
 * @typedef {object} WebhookEvent
 * @property {string} id the same for all attempts of an event: ignore an id that was processed before
 * @property {string} type such as `verdict.flagged`
 * @property {Date} timestamp time of the event
 * @property {import('./generated.js').EventData} data the changed object
 */

/** @typedef {{version: 'v1' | 'v1a', algorithm: 'Ed25519' | 'HMAC', key: CryptoKey}} WebhookKey */

const TOLERANCE_MS = 300000;
const TIMESTAMP = /^\d{1,12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Advice for each kind of invalid request. */
const ADVICE = {
  missing: 'The request lacks a header of webhooks, so the service has not sent it. Reject it.',
  forged: 'The request is not signed with one of the keys. Reject it. If the service has sent it, pass the current key of the endpoint, and the body as it was received.',
  expired: 'The request is older than the tolerance. Reject it. If all requests are, set the clock of this server.',
  early: 'The request is dated in the future. Reject it. If all requests are, set the clock of this server.',
  malformed: 'The request is signed, but its body is not an event of the service. Read the documentation of its version.',
};

/** @param {keyof typeof ADVICE} reason */
const webhookError = (reason) => new VerdictError(`webhook_${reason}`, ADVICE[reason]);

/** Decodes base64; undefined for another text. @param {string} text */
function decode(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** @param {unknown} text @returns {Promise<WebhookKey>} */
async function importKey(text) {
  const [, prefix, encoded] = /^(whsec_|whpk_)(.+)$/.exec(String(text)) ?? [];
  const bytes = decode(encoded ?? '') ?? new Uint8Array();
  const isSecret = prefix === 'whsec_';
  const isValid = isSecret ? bytes.length >= 24 && bytes.length <= 64 : bytes.length === 32;
  requireOption('keys', isValid, 'keys of the endpoint, whsec_… or whpk_…');
  if (!globalThis.crypto?.subtle) throw unsupportedRuntime();
  if (isSecret) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    return { version: 'v1', algorithm: 'HMAC', key };
  }
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']).catch((cause) => {
    throw unsupportedRuntime(cause);
  });
  return { version: 'v1a', algorithm: 'Ed25519', key };
}

/** Returns the value of a header. @param {WebhookRequest['headers']} headers @param {string} name */
function header(headers, name) {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers ?? {});
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (!text) throw webhookError('missing');
  return text;
}

/** Returns `true` if one of the signatures is by one of the keys. @param {string} signatures @param {Uint8Array<ArrayBuffer>} message @param {WebhookKey[]} keys */
async function isSigned(signatures, message, keys) {
  for (const entry of signatures.split(' ')) {
    const [version, encoded = ''] = entry.split(',', 2);
    const signature = decode(encoded) ?? new Uint8Array();
    // Other versions are skipped: a newer service may send them as well.
    for (const { algorithm, key } of keys.filter((candidate) => candidate.version === version)) {
      // WebCrypto compares in constant time.
      if (await crypto.subtle.verify(algorithm, key, signature, message)) return true;
    }
  }
  return false;
}

/** @param {string} id @param {Uint8Array} bytes @returns {WebhookEvent} */
function parseEvent(id, bytes) {
  let event;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw webhookError('malformed');
  }
  const { type, timestamp, data } = event ?? {};
  const time = TIME.test(timestamp) ? new Date(timestamp) : undefined;
  if (typeof type !== 'string' || !time || Number.isNaN(time.getTime()) || data === undefined) throw webhookError('malformed');
  return { id, type, timestamp: time, data };
}

/**
 * Verifies a request to the platform's endpoint, and returns its event. The service sends an event again until the endpoint answers with
 * a status of 200 to 299, so one event may arrive several times.
 *
 * @param {WebhookRequest} request @returns {Promise<WebhookEvent>} rejects with a `VerdictError`
 */
export async function verifyWebhook({ body, headers, keys, now = new Date(), toleranceMs = TOLERANCE_MS }) {
  const texts = [keys].flat();
  requireOption('keys', texts.length > 0, 'keys of the endpoint, whsec_… or whpk_…');
  const imported = await Promise.all(texts.map(importKey));
  requireOption('body', typeof body === 'string' || body instanceof Uint8Array, 'the body as it was received, a text or bytes');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => header(headers, `webhook-${name}`));
  // A point in the id would make the parts of the message ambiguous.
  if (id.includes('.') || !TIMESTAMP.test(timestamp)) throw webhookError('forged');
  const age = now.getTime() - Number(timestamp) * 1000;
  if (age > toleranceMs) throw webhookError('expired');
  if (!(age >= -toleranceMs)) throw webhookError('early');
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(prefix.length + bytes.length);
  message.set(prefix);
  message.set(bytes, prefix.length);
  if (!(await isSigned(signatures, message, imported))) throw webhookError('forged');
  return parseEvent(id, bytes);
}
