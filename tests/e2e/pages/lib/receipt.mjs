// Receipts in a platform's backend.
import { createPublicKey, verify } from 'node:crypto';

const decode = (part) => JSON.parse(Buffer.from(part, 'base64url'));

/** Redeems a receipt at the service. @param {import('./service.mjs').Service} service @param {string} key @param {string} receipt */
export const redeem = (service, key, receipt) => service.api(key, 'POST', '/api/v1/receipts/verify', { receipt });

/** Verifies a receipt with the service's published keys only, and returns its claims. @param {import('./service.mjs').Service} service @param {string} receipt */
export async function claims(service, receipt) {
  const [head, body, signature] = receipt.split('.');
  const { keys } = await (await fetch(`${service.url}/.well-known/voight-keys.json`)).json();
  const key = keys.find(({ kid }) => kid === decode(head).kid);
  const isSigned = key && verify(null, `${head}.${body}`, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64url'));
  if (!isSigned) throw new Error('the receipt is forged');
  return decode(body);
}
