/** Snapshots: the verdicts of long lists of addresses. */

import { call, dataOf, sleep, unexpectedResponse } from './call.js';
import { VerdictError } from './error.js';
import { keyHeader, parseService, requestHeaders, requireContext, requireOption } from './options.js';

/** @typedef {import('./call.js').Service} Service */
/** @typedef {import('./generated.js').OperationId} OperationId */
/** @typedef {import('./generated.js').Snapshot} Snapshot */

/**
 * @typedef {object} SnapshotOptions
 * @property {string} baseUrl origin of the service, as this backend reaches it
 * @property {string} apiKey a key with the scope `lookup:read`
 * @property {string} contextId a context that this key has registered
 * @property {string | Uint8Array | Blob} [addresses] file with a column `address` and perhaps `amount`; without it, all addresses with a verdict in the context
 * @property {string} [contentType] media type of the file: `text/csv` (default), `application/x-ndjson`, `application/vnd.apache.parquet`, or `application/json` for a Merkle tree dump
 * @property {string | number} [addressColumn] column of the addresses, by name or number from 1 on, if its name is no known one
 * @property {string | number} [amountColumn] column of the amounts, by name or number from 1 on, if its name is no known one
 * @property {boolean} [noAmounts] read no amounts from the file
 * @property {'base' | 'tokens'} [unit] unit of the amounts in the file, which a file with amounts needs
 * @property {number} [decimals] decimals of the token; without `unit`, the amounts in the file are tokens
 * @property {boolean} [dryRun] read the file and return the snapshot with its `summary`; nothing is looked up or billed, and a call without it continues
 * @property {bigint | string} [amount] reward of each address of a list without amounts, in base units of the token
 * @property {('unknown' | 'unsure')[]} [include] statuses that receive rewards beside `human`
 * @property {string} idempotencyKey identifies this snapshot: a repeated call continues the same one, and nothing is billed twice
 * @property {number} [timeoutMs] timeout in milliseconds until the draft is complete; default 600,000
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */

const TIMEOUT_MS = 600000;
/** Timeout of one transfer of a file. An upload of a million addresses has some 45 MB. */
const TRANSFER_TIMEOUT_MS = 120000;
const MANIFEST_TIMEOUT_MS = 10000;
const POLL_INTERVAL_MS = 1000;

/**
 * @typedef {object} SnapshotReference
 * @property {string} baseUrl origin of the service, as this backend reaches it
 * @property {string} apiKey a key with the scope `lookup:read`
 * @property {string} id id of the snapshot
 * @property {number} [timeoutMs] timeout in milliseconds for all attempts together
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */

/** @typedef {SnapshotReference & {format: string, decimals?: number}} FileOptions `decimals` of the token, for the format `airdrop` */

/** @param {Service} service @param {OperationId} operation @param {import('./call.js').Request} request @returns {Promise<any>} */
const requestData = (service, operation, request) => call(service, operation, request, (response) => dataOf(operation, response));

/**
 * Creates a snapshot, uploads its addresses, and waits until the draft is complete. `downloadSnapshot` then returns its files.
 *
 * @param {SnapshotOptions} options @returns {Promise<Snapshot>} rejects with a `VerdictError`, of the code `snapshot_paused` while a
 * cap or a suspension stops the job
 */
export async function takeSnapshot({ timeoutMs = TIMEOUT_MS, ...options }) {
  const { addresses, contentType = 'text/csv', dryRun = false, amount, include = [], contextId, idempotencyKey } = options;
  requireOption('idempotencyKey', idempotencyKey !== undefined, 'a key of your own for this snapshot, such as payout-2026-11');
  const service = { ...parseService({ ...options, timeoutMs }), attemptTimeoutMs: TRANSFER_TIMEOUT_MS };
  const headers = requestHeaders(options);
  requireContext(contextId);
  const source = addresses === undefined ? 'seen' : 'upload';
  const asked = { context_id: contextId, source, amount: amount?.toString(), include };
  const json = { ...headers, 'content-type': 'application/json' };
  let snapshot = await requestData(service, 'createSnapshot', { headers: json, body: JSON.stringify(asked) });
  if (addresses !== undefined && snapshot.state === 'uploading') {
    const file = { ...keyHeader(options), 'content-type': contentType };
    const body = /** @type {BodyInit} */ (addresses);
    const upload = { path: { id: snapshot.id }, query: uploadQuery(options), headers: file, body };
    snapshot = await requestData(service, 'uploadAddresses', upload);
  }
  if (dryRun) return snapshot;
  const { summary } = snapshot;
  return { ...(await waitFor(service, keyHeader(options), snapshot, ['draft', 'final'])), summary };
}

/** @param {Omit<SnapshotOptions, 'timeoutMs'>} options @returns {Record<string, string>} the parameters of an upload */
function uploadQuery({ addressColumn, amountColumn, noAmounts, unit, decimals, dryRun }) {
  const parameters = { address_column: addressColumn, amount_column: amountColumn, no_amounts: noAmounts, unit, decimals, dry_run: dryRun };
  const stated = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated.map(([name, value]) => [name, String(value)]));
}

/** @param {Service} service @param {Record<string, string>} headers @param {Snapshot} snapshot @param {string[]} states */
async function waitFor(service, headers, snapshot, states) {
  while (!states.includes(snapshot.state)) {
    const { id, state, pause } = snapshot;
    if (pause) throw new VerdictError('snapshot_paused', `The job of the snapshot ${id} is paused: ${pause}.`, { retryable: true });
    if (Date.now() + POLL_INTERVAL_MS >= service.deadline) {
      throw new VerdictError('timeout', `The snapshot ${id} is still ${state}. Repeat the call later.`, { retryable: true });
    }
    await sleep(POLL_INTERVAL_MS);
    snapshot = await requestData(service, 'getSnapshot', { path: { id }, headers });
  }
  return snapshot;
}

/** @param {SnapshotReference} options @param {number} timeoutMs */
function parseReference(options, timeoutMs) {
  requireOption('id', typeof options.id === 'string' && options.id !== '', 'the id of a snapshot');
  return { service: parseService({ timeoutMs, ...options }), request: { path: { id: options.id }, headers: keyHeader(options) } };
}

/** Reads the verdicts of a draft again, and waits until the snapshot is final. @param {SnapshotReference} options @returns {Promise<Snapshot>} */
export async function finalizeSnapshot(options) {
  const { service, request } = parseReference(options, TIMEOUT_MS);
  const snapshot = await requestData(service, 'finalizeSnapshot', request);
  return waitFor(service, request.headers, snapshot, ['final']);
}

/** @param {FileOptions} options @returns {Record<string, string>} */
const fileQuery = ({ format, decimals }) => ({ format, ...(decimals === undefined ? {} : { decimals: String(decimals) }) });

/** Returns a file of a snapshot, compared with the SHA-256 in its ETag. @param {FileOptions} options @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function downloadSnapshot(options) {
  const { service, request } = parseReference(options, TRANSFER_TIMEOUT_MS);
  const transfer = { ...service, attemptTimeoutMs: TRANSFER_TIMEOUT_MS };
  const response = await call(transfer, 'getSnapshotFile', { ...request, query: fileQuery(options) }, (found) => found);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', response.bytes));
  const hexadecimal = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (response.headers.get('etag') !== `"${hexadecimal}"`) {
    throw unexpectedResponse('sends a file whose SHA-256 is not its ETag', response);
  }
  return response.bytes;
}

/** Returns the signed manifest of a file. @param {FileOptions} options @returns {Promise<import('./generated.js').SignedManifest>} */
export async function snapshotManifest(options) {
  const { service, request } = parseReference(options, MANIFEST_TIMEOUT_MS);
  return requestData(service, 'getSnapshotManifest', { ...request, query: fileQuery(options) });
}
