// Calls of the back-end helper, and their errors.
import assert from 'node:assert/strict';
import { getVerdict, VerdictError } from '@voight/check/server';
import { ADDRESS, CONTEXT, KEY } from './service.mjs';

/** Asks for the verdict on the default address.
 * @param {import('./service.mjs').Service} service @param {string} receipt @param {object} [more] options that replace the defaults */
export const verdictOf = (service, receipt, more) =>
  getVerdict({ baseUrl: service.url, apiKey: KEY, receipt, eoaAddress: ADDRESS, contextId: CONTEXT, ...more });

/** Returns the error that a call rejects with. @param {Promise<unknown>} call @returns {Promise<VerdictError>} */
export async function refusalOf(call) {
  const cause = await call.then(() => assert.fail('it was answered'), (cause) => cause);
  assert.ok(cause instanceof VerdictError, cause);
  return cause;
}
