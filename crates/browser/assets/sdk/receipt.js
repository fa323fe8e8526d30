/** How long a receipt lives. Only lengths of time are compared, so a page whose clock is wrong loses nothing. */

/** Where a receipt can't be read: the life that the service gives. */
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
 * Calls once when a receipt that has just come is over. A page that slept, or was left and came back, finds out at once:
 * timers stand still meanwhile, and of both clocks one may.
 *
 * @param {string} receipt @param {() => void} act
 * @returns {() => void} gives the waiting up
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
