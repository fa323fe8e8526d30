// Stands where your own sign-in is: a ticket that only the holder of the secret can make, as a mail's link would carry it.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What signs its holder in as the owner of this wallet. */
export const ticket = (secret, address) => `${address}.${createHmac('sha256', secret).update(address).digest('base64url')}`;

/** The wallet that a ticket is for, or undefined. */
export function holder(secret, shown) {
  if (!secret || typeof shown !== 'string') return undefined;
  const [address] = shown.split('.');
  const [given, expected] = [Buffer.from(shown), Buffer.from(ticket(secret, address))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? address : undefined;
}
