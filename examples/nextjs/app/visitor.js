import { cookies } from 'next/headers';
import { config, ticketAddress } from 'voight-example-quest';

const COOKIE = 'ticket';

/** Returns the wallet of the signed-in visitor, or undefined. */
export async function visitor() {
  return ticketAddress(config().secret, (await cookies()).get(COOKIE)?.value);
}

/** Signs in the visitor who presents a valid ticket; returns false if the ticket is invalid. */
export async function signIn(ticket) {
  if (!ticketAddress(config().secret, ticket)) return false;
  (await cookies()).set(COOKIE, ticket, { httpOnly: true, sameSite: 'lax' });
  return true;
}
