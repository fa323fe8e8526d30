// Says to the service that a wallet is our signed-in visitor's, so that the check counts for the wallet and not for
// whoever names it.

/** A session token for the component. */
export async function vouch({ service, apiKey, contextId }, address) {
  const answer = await fetch(`${service}/api/v1/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ context_id: contextId, eoa_address: address }),
  });
  const { success, data, error } = await answer.json();
  if (!success) throw new Error(`The service did not take our word for a visitor: ${error.message}`);
  return data.session;
}
