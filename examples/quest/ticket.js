// Placeholder for your own sign-in: a ticket that only the owner of the secret can create, as the link of a mail
// would contain it.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the ticket that signs a visitor in as the owner of this wallet. */
export const ticket = (secret, address) => `${address}.${createHmac('sha256', secret).update(address).digest('base64url')}`;

/** Returns the wallet of a valid ticket, or undefined. */
export function holder(secret, shown) {
  if (!secret || typeof shown !== 'string') return undefined;
  const [address] = shown.split('.');
  const [given, expected] = [Buffer.from(shown), Buffer.from(ticket(secret, address))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? address : undefined;
}
