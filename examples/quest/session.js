// Creates a vouched session: states that a wallet belongs to a signed-in visitor, so that the check counts for this wallet
// and not for any address that a visitor enters.

/** Returns a session token for the component. */
export async function createSession({ service, apiKey, contextId }, address) {
  const response = await fetch(`${service}/api/v1/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ context_id: contextId, eoa_address: address }),
  });
  const { success, data, error } = await response.json();
  if (!success) throw new Error(`The service did not create a session: ${error.message}`);
  return data.session;
}
