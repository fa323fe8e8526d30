/**
 * Calls the platform's `confirm`, which asks its backend.
 *
 * @param {(receipt: string) => unknown} confirm has no timeout; the visitor can close the dialog
 * @param {string} receipt
 * @param {string} fallback message if the rejection has none
 * @returns {Promise<string | null>} message of the rejection, or null if `confirm` succeeds
 */
export declare function rejectionMessage(confirm: (receipt: string) => unknown, receipt: string, fallback: string): Promise<string | null>;
