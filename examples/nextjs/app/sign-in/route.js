import { signIn } from '../visitor.js';

/** Signs a visitor in by the link of a mail. */
export async function GET(request) {
  if (!(await signIn(new URL(request.url).searchParams.get('ticket')))) return new Response('This link is invalid.', { status: 403 });
  return new Response(null, { status: 303, headers: { location: '/' } });
}
