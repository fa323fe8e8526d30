// Sign-in state: a cookie with the visitor's ticket.
import { ticketAddress } from 'voight-example-quest';

const COOKIE = 'ticket';

/** Returns the wallet of the visitor who sent this request, or undefined. @param {import('express').Request} request */
export function visitor(secret, request) {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return ticketAddress(secret, new Map(pairs).get(COOKIE));
}

/** Signs in the visitor who presents a valid ticket; returns false if it is invalid. @param {import('express').Response} response */
export function signIn(secret, ticket, response) {
  if (!ticketAddress(secret, ticket)) return false;
  response.cookie(COOKIE, ticket, { httpOnly: true, sameSite: 'lax' });
  return true;
}
