// Calls of the helper for backends, and what they are refused with.
import assert from 'node:assert/strict';
import { getVerdict, VerdictError } from '@voight/check/server';
import { ADDRESS, CONTEXT, KEY } from './service.mjs';

/** Asks for the verdict on the usual address. @param {import('./service.mjs').Service} service @param {string} receipt @param {object} [more] other options than the usual ones */
export const verdictOf = (service, receipt, more) =>
  getVerdict({ baseUrl: service.url, apiKey: KEY, receipt, eoaAddress: ADDRESS, contextId: CONTEXT, ...more });

/** The error that a call is refused with. @param {Promise<unknown>} call @returns {Promise<VerdictError>} */
export async function refusalOf(call) {
  const cause = await call.then(() => assert.fail('it was answered'), (cause) => cause);
  assert.ok(cause instanceof VerdictError, cause);
  return cause;
}
