import { claim, config } from 'voight-example-quest';
import { visitor } from '../visitor.js';

/** Wallets that have the badge. In production, a table of your database. */
const badges = new Set();

/** Claims the badge. */
export async function POST(request) {
  const { receipt, address: entered } = (await request.json().catch(() => null)) ?? {};
  const address = (await visitor()) ?? entered;
  const { status, message } = await claim(config(), { address, receipt });
  if (status === 200) badges.add(address.toLowerCase());
  return Response.json({ message }, { status });
}

/** Lists the wallets that have the badge. */
export function GET() {
  return Response.json([...badges]);
}
