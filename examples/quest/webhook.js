// Reads webhooks of the service: a wallet can be flagged after it has the badge.
import { verifyWebhook } from '@voight/check/server';

/** Returns the wallet that a webhook flags in the context of the quest; undefined for another event. Throws if it is not signed. */
export async function flaggedWallet({ webhookSecret, contextId }, { headers, body }) {
  const { type, data } = await verifyWebhook({ headers, body, keys: webhookSecret });
  return type === 'verdict.flagged' && data.context_id === contextId ? data.eoa_address : undefined;
}
