/** Expiry of a receipt. Only durations are compared, so that a wrong clock of the page has no effect. */

/** Lifetime if the receipt cannot be decoded: the lifetime that the service uses. */
const DEFAULT_LIFETIME_MS = 600000;

/** @param {string} receipt a JWS in compact form @returns {number} milliseconds */
function lifetime(receipt) {
  try {
    const { iat, exp } = JSON.parse(atob(receipt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
    return (exp - iat) * 1000 || DEFAULT_LIFETIME_MS;
  } catch {
    return DEFAULT_LIFETIME_MS;
  }
}

/**
 * Calls `callback` once when a receipt that was just issued expires. Timers stop while the device sleeps and while the page is in the
 * back/forward cache, and one of the two clocks may stop as well, so the expiry is checked again when the page is shown.
 *
 * @param {string} receipt @param {() => void} callback
 * @returns {() => void} cancels the timer
 */
export function onExpiry(receipt, callback) {
  const lifetimeMs = lifetime(receipt);
  const [monotonicStart, wallStart] = [performance.now(), Date.now()];
  const check = () => {
    if (Math.max(performance.now() - monotonicStart, Date.now() - wallStart) >= lifetimeMs) expire();
  };
  const cancel = () => {
    clearTimeout(timer);
    removeEventListener('pageshow', check);
    document.removeEventListener('visibilitychange', check);
  };
  const expire = () => {
    cancel();
    callback();
  };
  const timer = setTimeout(expire, lifetimeMs);
  addEventListener('pageshow', check);
  document.addEventListener('visibilitychange', check);
  return cancel;
}
