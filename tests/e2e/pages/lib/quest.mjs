// Page with the component, and the actions of a visitor.

/** @typedef {import('puppeteer-core').Page | import('puppeteer-core').Frame} Where */

const WAIT_MS = 20000;

/** Default address of a visitor. */
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Returns the component around a button. The page records events in `window.events`, and each of the button's own clicks.
 * @param {{service: {url: string}, account: {context: string}}} stage @param {string} [attributes] more of them, or others */
export function element({ service, account }, attributes = '') {
  const given = { 'eoa-address': ADDRESS, 'context-id': account.context };
  const usual = Object.entries(given).filter(([name]) => !attributes.includes(`${name}=`));
  const attributeText = usual.map(([name, value]) => `${name}="${value}"`).join(' ');
  return `<voight-check base-url="${service.url}" ${attributeText} ${attributes}><button id="claim">Claim</button></voight-check>`;
}

/** Script that records all events of the page; a separate file, for policies that allow no inline script. */
export const EVENT_RECORDER = `
  window.events = [];
  for (const name of ['verified', 'declined', 'error', 'expired', 'cancel', 'statechange', 'walletrequired']) {
    addEventListener('voight-' + name, (event) => events.push({ name, detail: event.detail, of: event.target.id }));
  }
  addEventListener('securitypolicyviolation', (event) => events.push({ name: 'violation', detail: event.violatedDirective + ' ' + event.blockedURI }));
  document.addEventListener('click', (event) => event.target.id === 'claim' && events.push({ name: 'claimed' }));
`;

/** Returns a complete page. @param {{service: {url: string}, site: import('./site.mjs').Site}} stage @param {string} body @param {{path?: string, headers?: Record<string, string>}} [how] */
export function page({ service, site }, body, { path = '/', headers = {} } = {}) {
  site.put('/notes.js', EVENT_RECORDER);
  const scripts = `<script type="module" src="${service.url}/sdk/v1/voight.js"></script><script type="module" src="/notes.js"></script>`;
  return site.put(path, `<!doctype html><html lang="en"><title>A quest</title><body>${body}${scripts}</body></html>`, headers);
}

/** Opens a page with this body, and waits until its elements exist. @param {any} stage @param {string} body @param {object} [how] */
export async function visit(stage, body, how) {
  await stage.tab.goto(page(stage, body, how));
  await stage.tab.waitForFunction(() => window.events && customElements.get('voight-check'));
}

/** Returns the events of the page so far, by name. @param {Where} tab @param {string} [name] */
export const eventsOf = (tab, name) => tab.evaluate((name) => (window.events ?? []).filter((one) => !name || one.name === name), name);

/** Waits until the element is in a state. @param {Where} tab @param {string} state */
export async function untilState(tab, state, selector = 'voight-check') {
  const is = (selector, state) => document.querySelector(selector)?.state === state;
  await tab.waitForFunction(is, { timeout: WAIT_MS, polling: 20 }, selector, state).catch(async () => {
    const now = await tab.evaluate((selector) => document.querySelector(selector)?.state, selector);
    throw new Error(`the element is ${now}, not ${state}; its events are ${JSON.stringify(await eventsOf(tab))}`);
  });
}

/** Returns the frame of the newest window, if there is one. Older windows may still exist: they wait for their last messages.
 * @param {import('puppeteer-core').Page} tab */
export const windowFrame = (tab) => tab.frames().findLast((frame) => frame.url().includes('/window/v1?'));

/** Returns the frame of the newest window once a condition holds, or null after the timeout. A window that is being closed may never answer.
 * @param {import('puppeteer-core').Page} tab @param {(value?: string) => unknown} holds @param {string} [value] */
export async function frameWith(tab, holds, value) {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms, false));
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await wait(20)) {
    const frame = windowFrame(tab);
    const answer = (async () => frame?.evaluate(holds, value))().catch(() => false);
    if (await Promise.race([answer, wait(1000)])) return frame;
  }
  return null;
}

/** Returns the window's frame, once it shows a view. @param {import('puppeteer-core').Page} tab @param {string} view */
export async function windowAt(tab, view) {
  const frame = await frameWith(tab, (view) => document.body?.dataset.view === view, view);
  if (frame) return frame;
  throw new Error(`the window does not show ${view}; its events are ${JSON.stringify(await eventsOf(tab))}`);
}

/** Returns a target at rest: the dialog changes its layout once the window reports its height. @param {import('puppeteer-core').Frame} frame */
async function target(frame) {
  const button = await frame.$('#press');
  for (let before = ''; ; ) {
    const now = JSON.stringify(await button.boundingBox());
    if (now === before) return button;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Returns the target of the newest window that stays: one that is being closed may disappear meanwhile.
 * @param {import('puppeteer-core').Page} tab @param {string} role */
async function newestTarget(tab, role) {
  for (;;) {
    const frame = await windowAt(tab, role);
    const button = await target(frame).catch((error) => {
      if (frame === windowFrame(tab) && !/destroyed|detached/i.test(error.message)) throw error;
    });
    if (button) return button;
  }
}

/** Presses both targets, or the given ones. @param {import('puppeteer-core').Page} tab */
export async function press(tab, roles = ['first', 'second']) {
  for (const role of roles) await (await newestTarget(tab, role)).click();
}

/** Clicks the wrapped button: `window.claim` if the page sets it, otherwise `#claim`. @param {Where} where */
export async function claim(where) {
  await where.waitForFunction(() => customElements.get('voight-check') && (window.claim ?? document.querySelector('#claim')));
  return where.evaluateHandle(() => window.claim ?? document.querySelector('#claim'));
}

/** Completes a check. @param {import('puppeteer-core').Page} tab @param {Where} [where] the page with the button, unless it is the tab itself */
export async function complete(tab, where = tab) {
  await (await claim(where)).click();
  await press(tab);
}
