import { cookies } from 'next/headers';
import { config, holder } from 'voight-example-quest';

const COOKIE = 'ticket';

/** The wallet of whoever is signed in, or undefined. */
export async function visitor() {
  return holder(config().secret, (await cookies()).get(COOKIE)?.value);
}

/** Signs in whoever shows a ticket of ours; false if it is none. */
export async function signIn(ticket) {
  if (!holder(config().secret, ticket)) return false;
  (await cookies()).set(COOKIE, ticket, { httpOnly: true, sameSite: 'lax' });
  return true;
}
