/**
 * Calls the platform's `confirm`, which asks its backend.
 *
 * @param {(receipt: string) => unknown} confirm may take any time; the visitor can close the dialog
 * @param {string} receipt
 * @param {string} otherwise message if the platform gives no reason
 * @returns {Promise<string | null>} the platform's reason for declining, or null if it agrees
 */
export async function refusal(confirm, receipt, otherwise) {
  try {
    await confirm(receipt);
    return null;
  } catch (cause) {
    const said = typeof cause === 'string' ? cause : /** @type {any} */ (cause)?.message;
    return String(said || otherwise);
  }
}
