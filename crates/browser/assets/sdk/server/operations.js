/** Calls of the API other than a claim: lookups, contexts, quotes, the ledger, and any operation by its id. */

import { call, dataOf } from './call.js';
import { VerdictError } from './error.js';
import { OPERATIONS } from './generated.js';
import { keyHeader, parseService, parseSubject, requestHeaders, requireContext, requireOption } from './options.js';
import { requestVerdict } from './requests.js';

/** @typedef {import('./generated.js').OperationId} OperationId */

/**
 * @typedef {object} Connection
 * @property {string} baseUrl origin of the service, as this backend reaches it
 * @property {string} apiKey a key with the required scope, mostly `lookup:read`
 * @property {number} [timeoutMs] timeout in milliseconds for all attempts together; default 10,000
 * @property {typeof globalThis.fetch} [fetch] alternative implementation
 */

/** @typedef {Connection & {eoaAddress: string, contextId: string, idempotencyKey?: string}} AddressOptions */
/** @typedef {Connection & {eoaAddresses: string[], contextId: string, idempotencyKey?: string}} BatchOptions */
/** @typedef {Connection & {title: string, idempotencyKey?: string}} ContextOptions */
/** @typedef {Connection & {contextId: string, units: number}} QuoteOptions */
/** @typedef {Connection & {saved?: import('./generated.js').LedgerHead}} HeadOptions `saved`: head of an earlier call */

/**
 * @typedef {Connection & {path?: Record<string, string>, query?: Record<string, string>, body?: object, idempotencyKey?: string}} OperationOptions
 * `path` and `query` have the parameters, `body` is sent as JSON
 */

const MAX_BATCH = 1000;

/** @param {Record<string, string>} headers @param {object} body */
const jsonRequest = (headers, body) => ({ headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Looks up an address, which is billed. @param {AddressOptions} options @returns {Promise<import('./requests.js').Lookup>} */
export async function lookUp(options) {
  const [service, headers, subject] = [parseService(options), requestHeaders(options), parseSubject(options)];
  return requestVerdict(service, headers, subject);
}

/**
 * Looks up an address with the basis of the answer; billed as a plain lookup.
 *
 * @param {AddressOptions} options @returns {Promise<import('./generated.js').LookupDetailResponse>}
 */
export async function lookUpDetail(options) {
  const [service, headers, subject] = [parseService(options), requestHeaders(options), parseSubject(options)];
  const query = { eoa_address: subject.eoaAddress, context_id: subject.contextId };
  return call(service, 'lookUpAddressDetail', { headers, query }, (response) => dataOf('lookUpAddressDetail', response));
}

/**
 * Looks up 1 to 1,000 addresses; each distinct valid one is billed as a plain lookup.
 *
 * @param {BatchOptions} options @returns {Promise<import('./generated.js').BatchLookupResponse>}
 */
export async function lookUpBatch(options) {
  const { eoaAddresses, contextId } = options;
  const [service, headers] = [parseService(options), requestHeaders(options)];
  const isList = Array.isArray(eoaAddresses) && eoaAddresses.every((address) => typeof address === 'string');
  const isBatch = isList && eoaAddresses.length > 0 && eoaAddresses.length <= MAX_BATCH;
  requireOption('eoaAddresses', isBatch, `a list of 1 to ${MAX_BATCH} addresses`);
  requireContext(contextId);
  const body = { context_id: contextId, eoa_addresses: eoaAddresses };
  return call(service, 'lookUpBatch', jsonRequest(headers, body), (response) => dataOf('lookUpBatch', response));
}

/** Registers a context, and returns its id. @param {ContextOptions} options @returns {Promise<string>} */
export async function registerContext(options) {
  const { title } = options;
  const [service, headers] = [parseService(options), requestHeaders(options)];
  requireOption('title', typeof title === 'string' && title !== '', 'the title of the context');
  const request = jsonRequest(headers, { context_title: title });
  return call(service, 'registerContext', request, (response) => dataOf('registerContext', response).context_id);
}

/**
 * Estimates the cost of the next lookups. Nothing is recorded, billed or reserved.
 *
 * @param {QuoteOptions} options @returns {Promise<import('./generated.js').Quote>}
 */
export async function createQuote(options) {
  const { contextId, units } = options;
  const [service, headers] = [parseService(options), keyHeader(options)];
  requireContext(contextId);
  requireOption('units', Number.isSafeInteger(units) && units > 0, 'a whole number above 0');
  const request = jsonRequest(headers, { context_id: contextId, units });
  return call(service, 'createQuote', request, (response) => dataOf('createQuote', response));
}

/**
 * Returns the signed head of the ledger, to be saved by the caller. Rejects with the code `ledger_mismatch` if the ledger contradicts
 * `saved`.
 *
 * @param {HeadOptions} options @returns {Promise<import('./generated.js').SignedLedgerHead>}
 */
export async function ledgerHead(options) {
  const { saved } = options;
  const head = await callOperation('getLedgerHead', options);
  if (!saved || head.seq > saved.seq || (head.seq === saved.seq && head.head === saved.head)) return head;
  const fault =
    head.seq < saved.seq
      ? `ends at row ${head.seq}, before the saved row ${saved.seq}: rows were removed, or a backup was restored`
      : `has another head at row ${head.seq} than the saved one: it was rewritten, or is another ledger`;
  throw new VerdictError('ledger_mismatch', `The ledger ${fault}. Keep the saved head, and ask the operator.`, { status: 200 });
}

/** @param {OperationId} operation @param {OperationOptions} options */
function parseOperation(operation, options) {
  const { path = {}, query, body } = options;
  requireOption('operation', Object.hasOwn(OPERATIONS, operation), 'an operation id of the API');
  const service = parseService(options);
  const headers = options.idempotencyKey === undefined ? keyHeader(options) : requestHeaders(options);
  const names = [...OPERATIONS[operation].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const isComplete = names.length === Object.keys(path).length && names.every((name) => typeof path[name] === 'string' && path[name] !== '');
  requireOption('path', isComplete, 'the parameters of the path');
  return { service, request: { path, query, ...(body ? jsonRequest(headers, body) : { headers }) } };
}

/**
 * Calls an operation of the API by its id, and returns `data` of the response.
 *
 * @param {OperationId} operation @param {OperationOptions} options @returns {Promise<any>}
 */
export async function callOperation(operation, options) {
  const { service, request } = parseOperation(operation, options);
  return call(service, operation, request, (response) => dataOf(operation, response));
}

/**
 * Calls an operation like `callOperation`, and returns the body of the response.
 *
 * @param {OperationId} operation @param {OperationOptions} options @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function callOperationRaw(operation, options) {
  const { service, request } = parseOperation(operation, options);
  return call(service, operation, request, ({ bytes }) => bytes);
}
