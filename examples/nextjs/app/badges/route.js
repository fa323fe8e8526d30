import { claim, config } from 'voight-example-quest';
import { visitor } from '../visitor.js';

/** Who has the badge. Yours is a table of your database. */
const badges = new Set();

/** A claim. */
export async function POST(request) {
  const { receipt, address: named } = (await request.json().catch(() => null)) ?? {};
  const address = (await visitor()) ?? named;
  const { status, message } = await claim(config(), { address, receipt });
  if (status === 200) badges.add(address.toLowerCase());
  return Response.json({ message }, { status });
}

/** Who has one. */
export function GET() {
  return Response.json([...badges]);
}
