/** Expiry of a receipt. Only durations are compared, so that a wrong clock of the page has no effect. */

/** Lifetime if the receipt cannot be decoded: the lifetime that the service uses. */
const USUAL_MS = 600000;

/** @param {string} receipt a JWS in compact form @returns {number} milliseconds */
function life(receipt) {
  try {
    const { iat, exp } = JSON.parse(atob(receipt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
    return (exp - iat) * 1000 || USUAL_MS;
  } catch {
    return USUAL_MS;
  }
}

/**
 * Calls `act` once when a receipt that was just issued expires. A page that slept, or was left and restored, detects the expiry
 * at once: timers stop meanwhile, and one of both clocks may stop as well.
 *
 * @param {string} receipt @param {() => void} act
 * @returns {() => void} cancels the timer
 */
export function whenOver(receipt, act) {
  const left = life(receipt);
  const began = [performance.now(), Date.now()];
  const awake = () => {
    if (Math.max(performance.now() - began[0], Date.now() - began[1]) >= left) over();
  };
  const stop = () => {
    clearTimeout(timer);
    removeEventListener('pageshow', awake);
    document.removeEventListener('visibilitychange', awake);
  };
  const over = () => {
    stop();
    act();
  };
  const timer = setTimeout(over, left);
  addEventListener('pageshow', awake);
  document.addEventListener('visibilitychange', awake);
  return stop;
}
