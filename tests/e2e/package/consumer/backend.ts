// A platform's backend.
import { getVerdict, VerdictError, verifyReceipt, type Verdict } from '@voight/check/server';

export async function claim(receipt: unknown): Promise<string> {
  const claim = { baseUrl: 'https://voight.example', receipt, eoaAddress: '0x', contextId: 'spring' };
  try {
    const { verdict, score, failedOpen }: Verdict = await getVerdict({ ...claim, apiKey: 'vgt_live_', failOpen: true });
    const { expiresAt } = await verifyReceipt(claim);
    // @ts-expect-error there is no such verdict
    if (verdict === 'maybe') return '';
    return `${verdict} ${score} ${failedOpen} ${expiresAt.toISOString()}`;
  } catch (cause) {
    if (cause instanceof VerdictError && cause.retryable) return `${cause.code} ${cause.status} ${cause.reference}`;
    throw cause;
  }
}

// @ts-expect-error a key is required
export const incomplete = () => getVerdict({ baseUrl: '', receipt: '', eoaAddress: '', contextId: '' });
