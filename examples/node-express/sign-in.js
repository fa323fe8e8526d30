// Who is signed in: a cookie that holds the visitor's ticket.
import { holder } from 'voight-example-quest';

const COOKIE = 'ticket';

/** The wallet of whoever sent this request, or undefined. @param {import('express').Request} request */
export function visitor(secret, request) {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return holder(secret, new Map(pairs).get(COOKIE));
}

/** Signs in whoever shows a ticket of ours; false if it is none. @param {import('express').Response} response */
export function signIn(secret, ticket, response) {
  if (!holder(secret, ticket)) return false;
  response.cookie(COOKIE, ticket, { httpOnly: true, sameSite: 'lax' });
  return true;
}
