/** Snapshots: the verdicts of long lists of addresses. */

import { call, sleep } from './call.js';
import { VerdictError } from './error.js';
import { parseService, requestHeaders, requireOption } from './options.js';

/** @typedef {import('./call.js').Service} Service */

/**
 * @typedef {object} SnapshotOptions
 * @property {string} baseUrl origin of the service, as this backend reaches it
 * @property {string} apiKey a key with the scope `lookup:read`
 * @property {string} contextId a context that this key has registered
 * @property {string | Uint8Array | Blob} [addresses] CSV with the columns `address` and `amount`; without it, all addresses with a verdict in the context
 * @property {bigint | string} [amount] reward of an address for which the CSV lists none, in base units of the token
 * @property {('unknown' | 'unsure')[]} [include] statuses that receive rewards beside `human`
 * @property {string} idempotencyKey identifies this snapshot: a repeated call continues the same one, and nothing is billed twice
 * @property {number} [timeoutMs] timeout in milliseconds until the draft is complete; default 600,000
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */

/**
 * @typedef {object} Snapshot
 * @property {string} id
 * @property {'draft' | 'final'} state
 * @property {number} addresses number of addresses
 * @property {number} units number of billed lookups
 * @property {string} expires_at time at which the snapshot is deleted
 */

const TIMEOUT_MS = 600000;
/** Timeout of one request. An upload of a million addresses has some 45 MB. */
const ATTEMPT_TIMEOUT_MS = 120000;
const POLL_INTERVAL_MS = 1000;

/** @param {any} body */
const snapshotOf = (body) => (typeof body?.data?.state === 'string' ? body.data : undefined);

/**
 * Creates a snapshot, uploads its addresses, and waits until the draft is complete. The files of the snapshot are then at
 * `/api/v1/snapshots/{id}/file`.
 *
 * @param {SnapshotOptions} options @returns {Promise<Snapshot>} rejects with a `VerdictError`, of the code `snapshot_paused` while a
 * cap or a suspension stops the job
 */
export async function takeSnapshot({ timeoutMs = TIMEOUT_MS, ...options }) {
  requireOption('idempotencyKey', options.idempotencyKey !== undefined, 'a key of your own for this snapshot, such as payout-2026-11');
  const service = { ...parseService({ ...options, timeoutMs }), attemptTimeoutMs: ATTEMPT_TIMEOUT_MS };
  const headers = requestHeaders(options);
  const { addresses, amount, include = [], contextId } = options;
  const request = { context_id: contextId, source: addresses === undefined ? 'seen' : 'upload', amount: amount?.toString(), include };
  const json = { ...headers, 'content-type': 'application/json' };
  let snapshot = await call(service, '/api/v1/snapshots', { method: 'POST', headers: json, body: JSON.stringify(request) }, snapshotOf);
  const path = `/api/v1/snapshots/${snapshot.id}`;
  if (addresses !== undefined && snapshot.state === 'uploading') {
    const csv = { ...headers, 'content-type': 'text/csv' };
    const body = /** @type {BodyInit} */ (addresses);
    snapshot = await call(service, `${path}/addresses`, { method: 'PUT', headers: csv, body }, snapshotOf);
  }
  while (snapshot.state !== 'draft' && snapshot.state !== 'final') {
    if (snapshot.pause) {
      throw new VerdictError('snapshot_paused', `The job of the snapshot ${snapshot.id} is paused: ${snapshot.pause}.`, { retryable: true });
    }
    if (Date.now() + POLL_INTERVAL_MS >= service.deadline) {
      throw new VerdictError('timeout', `The snapshot ${snapshot.id} is still ${snapshot.state}. Repeat the call later.`, { retryable: true });
    }
    await sleep(POLL_INTERVAL_MS);
    snapshot = await call(service, path, { headers }, snapshotOf);
  }
  return snapshot;
}
