/**
 * Asks the platform's backend, in the page's own words.
 *
 * @param {(receipt: string) => unknown} confirm it may take as long as it likes; the visitor can close the dialog
 * @param {string} receipt
 * @param {string} otherwise what is said where the platform gives no reason
 * @returns {Promise<string | null>} why the platform declines, null where it agrees
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
