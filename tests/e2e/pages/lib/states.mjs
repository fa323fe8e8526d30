// All states that a visitor can see, each produced and held on its own page.
import { Proxy } from './proxy.mjs';
import { element, page, press, untilState, windowAt, windowFrame } from './quest.mjs';

const WAIT_MS = 20000;
/** Decision of a wallet's user, or of a platform's backend, that never comes. */
const NEVER = '() => new Promise(() => {})';

/** Setup of a visitor's page.
 * @typedef {object} How
 * @property {string} [attributes] more of them for the element
 * @property {string} [style] style sheet of the page
 * @property {{width: number, height: number}} [size] of the browser's window
 * @property {boolean} [rtl] whether the page is written from right to left */

/** Contexts with special settings, created once for each service.
 * @type {WeakMap<object, Map<string, Promise<string>>>} */
const contexts = new WeakMap();

const make = {
  async usual({ account }) {
    return account.context;
  },
  async always({ service, account }) {
    const context = await service.register(account.key, 'signed');
    await service.command('context', 'set', context, '--ownership-proof', 'always');
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
  const madeContexts = contexts.get(stage.service);
  if (!madeContexts.has(kind)) madeContexts.set(kind, make[kind](stage));
  return madeContexts.get(kind);
}

/** One proxy in front of each service, which can delay its responses.
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

async function clicked(stage, how, more) {
  await visit(stage, how, more);
  await stage.tab.click('#claim');
}

/** Waits for the dialog's own panel. @param {any} stage @param {string} kind */
const shown = ({ tab }, kind) =>
  tab.waitForFunction(
    (kind) => document.querySelector('voight-check').shadowRoot.querySelector(`.panel:not([hidden])[data-kind="${kind}"] button`),
    { timeout: WAIT_MS, polling: 20 },
    kind,
  );

/** Clicks, and waits until the window shows a view. @returns {Promise<import('puppeteer-core').Frame>} */
async function opened(stage, how, view, more) {
  await clicked(stage, how, more);
  return windowAt(stage.tab, view);
}

/** Clicks, and waits for the dialog's own panel. */
async function covered(stage, how, kind, more) {
  await clicked(stage, how, more);
  await shown(stage, kind);
}

/** Clicks, and presses both targets. */
async function completed(stage, how, script) {
  await clicked(stage, how, { script });
  await press(stage.tab);
}

const asked = (stage, how, answered = NEVER) =>
  opened(stage, how, 'sign', { context: 'always', script: `check.signMessage = ${answered};` });

/** Presses the first target, and waits until the window shows a view. */
async function pressedOnce(stage, how, view, rule) {
  await clicked(stage, how, { rule });
  await press(stage.tab, ['first']);
  await windowAt(stage.tab, view);
}

async function sign(frame) {
  const statusBefore = await frame.$eval('#status', (status) => status.textContent);
  await frame.click('[name=signButton]');
  await frame.waitForFunction((before) => document.querySelector('#status').textContent !== before, { polling: 20 }, statusBefore);
}

/** Waits until a completed check is closed and its click has run. A slow check needs one more press; the button for it has the focus. @param {import('puppeteer-core').Page} tab */
export async function proceed(tab) {
  const over = () => window.events.some((one) => one.name === 'claimed');
  const asked = () => document.querySelector('voight-check').shadowRoot.querySelector('.panel:not([hidden])[data-kind=done]');
  await tab.waitForFunction(`(${over})() || (${asked})()`, { timeout: WAIT_MS, polling: 50 });
  if (!(await tab.evaluate(over))) await tab.keyboard.press('Enter');
  await tab.waitForFunction(over, { timeout: WAIT_MS, polling: 50 });
}

/** @type {Record<string, (stage: any, how: How) => Promise<unknown>>} */
export const STATES = {
  idle: (stage, how) => visit(stage, how),
  opening: (stage, how) => covered(stage, how, 'progress', { rule: when(isDocument, 'hang') }),
  checking: (stage, how) => opened(stage, how, 'checking', { rule: when(isOpening, 'hang') }),
  sign: (stage, how) => asked(stage, how),
  async signing(stage, how) {
    await sign(await asked(stage, how));
  },
  /** The wallet's user declines. */
  async unsigned(stage, how) {
    const frame = await asked(stage, how, '() => new Promise((_, no) => setTimeout(no, 300))');
    await sign(frame);
    await frame.waitForFunction(() => document.querySelector('[name=signButton]'), { polling: 20 });
  },
  /** The wallet is a contract. */
  async unverifiable(stage, how) {
    const frame = await asked(stage, how, `async () => '0x' + 'ab'.repeat(100)`);
    await sign(frame);
    await frame.waitForFunction(() => document.querySelectorAll('#choices button').length === 1 && !document.querySelector('#code').textContent, { polling: 20 });
  },
  first: (stage, how) => opened(stage, how, 'first'),
  second: (stage, how) => pressedOnce(stage, how, 'second'),
  confirming: (stage, how) => pressedOnce(stage, how, 'confirming', when(isEvidence, 'hang')),
  /** The platform takes its time to confirm. */
  async agreeing(stage, how) {
    await completed(stage, how, `check.confirm = ${NEVER};`);
    await shown(stage, 'progress');
  },
  async verified(stage, how) {
    // The dialog closes soon after; here its timer never ends.
    await completed(stage, how, 'const timer = setTimeout; window.setTimeout = (act, ms, ...more) => (ms > 300 && ms < 1000 ? 0 : timer(act, ms, ...more));');
    await untilState(stage.tab, 'verified');
    await windowAt(stage.tab, 'verified');
  },
  /** The visitor presses again, more than five seconds after the click. */
  async late(stage, how) {
    await STATES.first(stage, how);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    await press(stage.tab);
    await shown(stage, 'done');
  },
  /** The ten minutes of the receipt pass at once. */
  async expired(stage, how) {
    await completed(stage, how, 'const timer = setTimeout; window.setTimeout = (act, ms, ...more) => timer(act, ms > 60000 ? 0 : ms, ...more);');
    await untilState(stage.tab, 'expired');
    await proceed(stage.tab);
  },
  async declined(stage, how) {
    await completed(stage, how, `check.confirm = async () => { throw new Error(''); };`);
    await untilState(stage.tab, 'declined');
    await shown(stage, 'failure');
  },
  /** The connection is lost during the check. */
  failed: (stage, how) => pressedOnce(stage, how, 'failed', when(isEvidence, 'drop')),
  /** The service rejects the request by its rate limit, with a time to retry. */
  limited: (stage, how) => opened(stage, how, 'failed', { rule: when(isOpening, LIMITED) }),
  /** The frame never loads. */
  blocked: (stage, how) => covered(stage, how, 'failure', { rule: when(isDocument, 'hang') }),
  test: (stage, how) => opened(stage, how, 'first', { context: 'sandbox' }),
  /** The page requests an unknown context. */
  stub: (stage, how) => opened(stage, how, 'failed', { attributes: 'context-id="quest.01k0ab3cdefghjkmnpqrstvwxy"' }),
};

/** Returns the window's frame if the visitor sees it: neither closed nor covered. @param {import('puppeteer-core').Page} tab */
export async function visibleWindow(tab) {
  const visible = await tab.evaluate(() => {
    const root = document.querySelector('voight-check').shadowRoot;
    return Boolean(root.querySelector('dialog')?.open) && Boolean(root.querySelector('.panel')?.hidden);
  });
  return visible ? windowFrame(tab) : null;
}
