// Page with the component, and the actions of a visitor.

/** @typedef {import('puppeteer-core').Page | import('puppeteer-core').Frame} Where */

const WAIT_MS = 20000;

/** The usual address of a visitor. */
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Writes the component around a button. The page notes what happens in `window.events`, and each of the button's own clicks.
 * @param {{service: {url: string}, account: {context: string}}} stage @param {string} [attributes] more of them, or others */
export function element({ service, account }, attributes = '') {
  const given = { 'eoa-address': ADDRESS, 'context-id': account.context };
  const usual = Object.entries(given).filter(([name]) => !attributes.includes(`${name}=`));
  const all = usual.map(([name, value]) => `${name}="${value}"`).join(' ');
  return `<voight-check base-url="${service.url}" ${all} ${attributes}><button id="claim">Claim</button></voight-check>`;
}

/** Notes everything that the page is told. A file of its own, for policies that allow no other. */
export const NOTES = `
  window.events = [];
  for (const name of ['verified', 'declined', 'error', 'expired', 'cancel', 'statechange', 'walletrequired']) {
    addEventListener('voight-' + name, (event) => events.push({ name, detail: event.detail, of: event.target.id }));
  }
  addEventListener('securitypolicyviolation', (event) => events.push({ name: 'violation', detail: event.violatedDirective + ' ' + event.blockedURI }));
  for (const element of document.querySelectorAll('voight-check')) {
    if (!element.originSite) element.originSite = location.href;
  }
  document.addEventListener('click', (event) => event.target.id === 'claim' && events.push({ name: 'claimed' }));
`;

/** A whole page. @param {{service: {url: string}, site: import('./site.mjs').Site}} stage @param {string} body @param {{path?: string, headers?: Record<string, string>}} [how] */
export function page({ service, site }, body, { path = '/', headers = {} } = {}) {
  site.put('/notes.js', NOTES);
  const scripts = `<script type="module" src="${service.url}/sdk/v1/voight.js"></script><script type="module" src="/notes.js"></script>`;
  return site.put(path, `<!doctype html><html lang="en"><title>A quest</title><body>${body}${scripts}</body></html>`, headers);
}

/** Opens a page with this body, and waits until its elements are there. @param {any} stage @param {string} body @param {object} [how] */
export async function visit(stage, body, how) {
  await stage.tab.goto(page(stage, body, how));
  await stage.tab.waitForFunction(() => window.events && customElements.get('voight-check'));
}

/** What the page was told so far, by name. @param {Where} tab @param {string} [name] */
export const told = (tab, name) => tab.evaluate((name) => (window.events ?? []).filter((one) => !name || one.name === name), name);

/** Waits until the element is in a state. @param {Where} tab @param {string} state */
export async function untilState(tab, state, selector = 'voight-check') {
  const is = (selector, state) => document.querySelector(selector)?.state === state;
  await tab.waitForFunction(is, { timeout: WAIT_MS, polling: 20 }, selector, state).catch(async () => {
    const now = await tab.evaluate((selector) => document.querySelector(selector)?.state, selector);
    throw new Error(`the element is ${now}, not ${state}; the page was told ${JSON.stringify(await told(tab))}`);
  });
}

/** The newest window's frame, if there is one. Older ones are on their way out: they linger for their last words.
 * @param {import('puppeteer-core').Page} tab */
export const windowFrame = (tab) => tab.frames().findLast((frame) => frame.url().includes('/window/v1?'));

/** The newest window's frame, once something holds of it, null if it does not in time. One that is on its way out may never answer.
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

/** The window's frame, once it shows a view. @param {import('puppeteer-core').Page} tab @param {string} view */
export async function windowAt(tab, view) {
  const frame = await frameWith(tab, (view) => document.body?.dataset.view === view, view);
  if (frame) return frame;
  throw new Error(`the window does not show ${view}; the page was told ${JSON.stringify(await told(tab))}`);
}

/** A target at rest: the dialog is laid out anew once the window says how high it is. @param {import('puppeteer-core').Frame} frame */
async function target(frame) {
  const button = await frame.$('#press');
  for (let before = ''; ; ) {
    const now = JSON.stringify(await button.boundingBox());
    if (now === before) return button;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** The target of the newest window that stays: one that is on its way out may go while it is looked at.
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

/** Presses both targets, or those that are named. @param {import('puppeteer-core').Page} tab */
export async function press(tab, roles = ['first', 'second']) {
  for (const role of roles) await (await newestTarget(tab, role)).click();
}

/** The wrapped button; a page whose button nobody finds names it. @param {Where} where */
export async function claim(where) {
  await where.waitForFunction(() => customElements.get('voight-check') && (window.claim ?? document.querySelector('#claim')));
  return where.evaluateHandle(() => window.claim ?? document.querySelector('#claim'));
}

/** Goes through a whole check. @param {import('puppeteer-core').Page} tab @param {Where} [where] the page with the button, unless it is the tab itself */
export async function complete(tab, where = tab) {
  await (await claim(where)).click();
  await press(tab);
}
