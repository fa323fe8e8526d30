// Creates a vouched session: tells the service that a wallet belongs to a signed-in visitor, so that the check counts
// for this wallet, and not for any address that a visitor enters.

/** Returns a session token for the component. */
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
