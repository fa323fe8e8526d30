// Clocks of pages: long timers are shortened, and clocks are set wrong. The code runs in every document of a tab before the
// document's own scripts.

/** Replaces timer delays by others. @param {import('puppeteer-core').Page} tab @param {Record<number, number>} lengths milliseconds */
export const retime = (tab, lengths) =>
  tab.evaluateOnNewDocument((lengths) => {
    const [timer, signal] = [setTimeout, AbortSignal.timeout];
    window.setTimeout = (act, delay, ...more) => timer(act, lengths[delay] ?? delay, ...more);
    AbortSignal.timeout = (delay) => signal.call(AbortSignal, lengths[delay] ?? delay);
  }, lengths);

/** Sets the wall clock, and lets a page make it jump: `jump(ms)`. @param {import('puppeteer-core').Page} tab @param {number} by */
export const skew = (tab, by) =>
  tab.evaluateOnNewDocument((by) => {
    const now = Date.now;
    Date.now = () => now() + by;
    window.jump = (further) => (by += further);
  }, by);

/** Lets a page make the monotonic clock jump: `skip(ms)`. @param {import('puppeteer-core').Page} tab */
export const skippable = (tab) =>
  tab.evaluateOnNewDocument(() => {
    const now = performance.now.bind(performance);
    let skippedTime = 0;
    performance.now = () => now() + skippedTime;
    window.skip = (further) => (skippedTime += further);
  });

/** Makes a page appear hidden or visible to its scripts. @param {import('puppeteer-core').Page} tab @param {boolean} hidden */
export const hide = (tab, hidden) =>
  tab.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
