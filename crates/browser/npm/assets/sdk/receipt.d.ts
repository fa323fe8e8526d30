/** Expiry of a receipt. Only durations are compared, so that a wrong clock of the page has no effect. */
/**
 * Calls `callback` once when a receipt that was just issued expires. Timers stop while the device sleeps and while the page is in the
 * back/forward cache, and one of the two clocks may stop as well, so the expiry is checked again when the page is shown.
 *
 * @param {string} receipt @param {() => void} callback
 * @returns {() => void} cancels the timer
 */
export declare function onExpiry(receipt: string, callback: () => void): () => void;
