// Every state that a visitor can see, brought about on a page of its own, and held.
import { Proxy } from './proxy.mjs';
import { element, page, press, untilState, windowAt, windowFrame } from './quest.mjs';

const WAIT_MS = 20000;
/** A wallet's user, or a platform's backend, that takes for ever. */
const NEVER = '() => new Promise(() => {})';

/** How a visitor comes to a page.
 * @typedef {object} How
 * @property {string} [attributes] more of them for the element
 * @property {string} [style] style sheet of the page
 * @property {{width: number, height: number}} [size] of the browser's window
 * @property {boolean} [rtl] whether the page is written from right to left */

/** Contexts with settings of their own, made once for each service.
 * @type {WeakMap<object, Map<string, Promise<string>>>} */
const contexts = new WeakMap();

const make = {
  async usual({ account }) {
    return account.context;
  },
  async always({ service, account }) {
    const context = await service.register(account.key, 'signed');
    await service.command('context', 'set', context, '--binding', 'always');
    return context;
  },
  async sandbox({ service }) {
    const { context } = await service.account('sandboxed', ['--test']);
    return context;
  },
};

/** @param {any} stage @param {keyof typeof make} kind */
function contextOf(stage, kind) {
  if (!contexts.has(stage.service)) contexts.set(stage.service, new Map());
  const made = contexts.get(stage.service);
  if (!made.has(kind)) made.set(kind, make[kind](stage));
  return made.get(kind);
}

/** One proxy in front of each service, so that its answers can be held up.
 * @type {WeakMap<object, Promise<Proxy>>} */
const proxies = new WeakMap();

/** @param {any} service @param {(path: string) => import('./proxy.mjs').Fate} rule what becomes of requests from now on */
async function behind(service, rule) {
  if (!proxies.has(service)) proxies.set(service, Proxy.open(service));
  const proxy = await proxies.get(service);
  proxy.rule = ({ url }) => rule(new URL(url, proxy.url).pathname);
  return { url: proxy.url };
}

/** @param {(path: string) => boolean} asked @param {import('./proxy.mjs').Fate} fate */
const when = (asked, fate) => (/** @type {string} */ path) => (asked(path) ? fate : undefined);
const isDocument = (path) => path === '/window/v1';
const isOpening = (path) => path === '/window/v1/checks';
const isEvidence = (path) => path.endsWith('/evidence');

const LIMITED = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '17', 'x-request-id': '01kanc5xt6f3vq0d9g8m2y7rwb' },
  body: JSON.stringify({ success: false, error: { id: 'm_g_r_1', code: 'RATE_LIMITED', message: 'Too many requests.' } }),
};

/** Opens the page. @param {any} stage @param {How} how */
async function visit(stage, how, { context = 'usual', attributes = '', script = '', rule = () => undefined } = {}) {
  const { tab, site } = stage;
  const service = await behind(stage.service, rule);
  if (how.size) await tab.setViewport(how.size);
  const account = { context: await contextOf(stage, context) };
  const style = `<link rel="stylesheet" href="/page.css">`;
  site.put('/page.css', `:root { color-scheme: light dark; } body { margin: 24px; } #claim { min-height: 44px; } ${how.style ?? ''}`);
  site.put('/page.js', `const check = document.querySelector('voight-check'); ${script}`);
  const body = `<main dir="${how.rtl ? 'rtl' : 'ltr'}"><h1>A quest</h1>${element({ service, account }, `${attributes} ${how.attributes ?? ''}`)}</main>`;
  await tab.goto(page({ service, site }, `${style}${body}<script src="/page.js"></script>`));
  await tab.waitForFunction(() => customElements.get('voight-check'));
}

const click = (tab) => tab.click('#claim');
const shown = (tab, mood) =>
  tab.waitForFunction(
    (mood) => document.querySelector('voight-check').shadowRoot.querySelector(`.panel:not([hidden])[data-mood="${mood}"] button`),
    { timeout: WAIT_MS, polling: 20 },
    mood,
  );

async function asked(stage, how, answered = NEVER) {
  await visit(stage, how, { context: 'always', script: `check.signMessage = ${answered};` });
  await click(stage.tab);
  return windowAt(stage.tab, 'sign');
}

async function pressOnce(stage, how, rule) {
  await visit(stage, how, { rule });
  await click(stage.tab);
  await (await (await windowAt(stage.tab, 'first')).$('#press')).click();
}

async function sign(frame) {
  const before = await frame.$eval('#status', (status) => status.textContent);
  await frame.click('[name=signButton]');
  await frame.waitForFunction((before) => document.querySelector('#status').textContent !== before, { polling: 20 }, before);
}

/** Waits until a completed check is put away and its click has run. A check that took long wants one more press; the button
 * for it has the focus. @param {import('puppeteer-core').Page} tab */
export async function proceed(tab) {
  const over = () => window.events.some((one) => one.name === 'claimed');
  const asked = () => document.querySelector('voight-check').shadowRoot.querySelector('.panel:not([hidden])[data-mood=done]');
  await tab.waitForFunction(`(${over})() || (${asked})()`, { timeout: WAIT_MS, polling: 50 });
  if (!(await tab.evaluate(over))) await tab.keyboard.press('Enter');
  await tab.waitForFunction(over, { timeout: WAIT_MS, polling: 50 });
}

/** @type {Record<string, (stage: any, how: How) => Promise<unknown>>} */
export const STATES = {
  async idle(stage, how) {
    await visit(stage, how);
  },
  async opening(stage, how) {
    await visit(stage, how, { rule: when(isDocument, 'hang') });
    await click(stage.tab);
    await shown(stage.tab, 'wait');
  },
  async checking(stage, how) {
    await visit(stage, how, { rule: when(isOpening, 'hang') });
    await click(stage.tab);
    await windowAt(stage.tab, 'checking');
  },
  async sign(stage, how) {
    await asked(stage, how);
  },
  async signing(stage, how) {
    await sign(await asked(stage, how));
  },
  /** The wallet's user says no. */
  async unsigned(stage, how) {
    const frame = await asked(stage, how, '() => new Promise((_, no) => setTimeout(no, 300))');
    await sign(frame);
    await frame.waitForFunction(() => document.querySelector('[name=signButton]'), { polling: 20 });
  },
  /** The wallet turns out to be a contract. */
  async unverifiable(stage, how) {
    const frame = await asked(stage, how, `async () => '0x' + 'ab'.repeat(100)`);
    await sign(frame);
    await frame.waitForFunction(() => document.querySelectorAll('#choices button').length === 1 && !document.querySelector('#code').textContent, { polling: 20 });
  },
  async first(stage, how) {
    await visit(stage, how);
    await click(stage.tab);
    await windowAt(stage.tab, 'first');
  },
  async second(stage, how) {
    await pressOnce(stage, how);
    await windowAt(stage.tab, 'second');
  },
  async confirming(stage, how) {
    await pressOnce(stage, how, when(isEvidence, 'hang'));
    await windowAt(stage.tab, 'confirming');
  },
  /** The platform takes its time to agree. */
  async agreeing(stage, how) {
    await visit(stage, how, { script: `check.confirm = ${NEVER};` });
    await click(stage.tab);
    await press(stage.tab);
    await shown(stage.tab, 'wait');
  },
  async verified(stage, how) {
    // The dialog closes soon after; here its timer never ends.
    const script = 'const timer = setTimeout; window.setTimeout = (act, ms, ...more) => (ms > 300 && ms < 1000 ? 0 : timer(act, ms, ...more));';
    await visit(stage, how, { script });
    await click(stage.tab);
    await press(stage.tab);
    await untilState(stage.tab, 'verified');
    await windowAt(stage.tab, 'verified');
  },
  /** More than five seconds after the click, the visitor presses once more. */
  async late(stage, how) {
    await STATES.first(stage, how);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    await press(stage.tab);
    await shown(stage.tab, 'done');
  },
  /** The receipt's ten minutes are over at once. */
  async expired(stage, how) {
    const script = 'const timer = setTimeout; window.setTimeout = (act, ms, ...more) => timer(act, ms > 60000 ? 0 : ms, ...more);';
    await visit(stage, how, { script });
    await click(stage.tab);
    await press(stage.tab);
    await untilState(stage.tab, 'expired');
    await proceed(stage.tab);
  },
  async declined(stage, how) {
    await visit(stage, how, { script: `check.confirm = async () => { throw new Error(''); };` });
    await click(stage.tab);
    await press(stage.tab);
    await untilState(stage.tab, 'declined');
    await shown(stage.tab, 'fail');
  },
  /** The connection is lost on the way. */
  async failed(stage, how) {
    await pressOnce(stage, how, when(isEvidence, 'drop'));
    await windowAt(stage.tab, 'failed');
  },
  /** The service is asked too often, and says when to come again. */
  async limited(stage, how) {
    await visit(stage, how, { rule: when(isOpening, LIMITED) });
    await click(stage.tab);
    await windowAt(stage.tab, 'failed');
  },
  /** The frame never comes. */
  async blocked(stage, how) {
    await visit(stage, how, { rule: when(isDocument, 'hang') });
    await click(stage.tab);
    await shown(stage.tab, 'fail');
  },
  async test(stage, how) {
    await visit(stage, how, { context: 'sandbox' });
    await click(stage.tab);
    await windowAt(stage.tab, 'first');
  },
  /** The page asks for a context that there is not. */
  async stub(stage, how) {
    await visit(stage, how, { attributes: 'context-id="quest.01k0ab3cdefghjkmnpqrstvwxy"' });
    await click(stage.tab);
    await windowAt(stage.tab, 'failed');
  },
};

/** The window's frame, if it is what the visitor sees: neither closed nor covered. @param {import('puppeteer-core').Page} tab */
export async function visibleWindow(tab) {
  const visible = await tab.evaluate(() => {
    const root = document.querySelector('voight-check').shadowRoot;
    return Boolean(root.querySelector('dialog')?.open) && Boolean(root.querySelector('.panel')?.hidden);
  });
  return visible ? windowFrame(tab) : null;
}
