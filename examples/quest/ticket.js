// Placeholder for your own sign-in: a ticket that only the owner of the secret can create, such as in the link of a mail.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the ticket that signs a visitor in as the owner of this wallet. */
export const ticket = (secret, address) => `${address}.${createHmac('sha256', secret).update(address).digest('base64url')}`;

/** Returns the wallet of a valid ticket, or undefined. */
export function ticketAddress(secret, token) {
  if (!secret || typeof token !== 'string') return undefined;
  const [address] = token.split('.');
  const [actual, expected] = [Buffer.from(token), Buffer.from(ticket(secret, address))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? address : undefined;
}
