/**
 * Calls the platform's `confirm`, which asks its backend.
 *
 * @param {(receipt: string) => unknown} confirm has no timeout; the visitor can close the dialog
 * @param {string} receipt
 * @param {string} fallback message if the rejection has none
 * @returns {Promise<string | null>} message of the rejection, or null if `confirm` succeeds
 */
export async function rejectionMessage(confirm, receipt, fallback) {
  try {
    await confirm(receipt);
    return null;
  } catch (cause) {
    const message = typeof cause === 'string' ? cause : /** @type {any} */ (cause)?.message;
    return String(message || fallback);
  }
}
