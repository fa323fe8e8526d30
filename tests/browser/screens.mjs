// Pictures of the demo and of every state of the window, for somebody to look at.
//
//   node screens.mjs FOLDER PAGE        PAGE is the demo's page, for example http://127.0.0.1:8090/
//
// Run a copy of it in a folder whose node_modules has playwright-core.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [folder, page] = process.argv.slice(2);
if (!folder || !page) throw new Error('Name a folder and the page: node screens.mjs FOLDER http://127.0.0.1:8090/');
mkdirSync(folder, { recursive: true });

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const SCHEMES = ['light', 'dark'];
const CHECKS = '**/window/v1/checks';
const STEPS = '**/window/v1/checks/*/*';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) await takeAll(`${size}-${colorScheme}`, { viewport, colorScheme });
  }
} finally {
  await browser.close();
}

/** @param {string} name @param {import('playwright-core').BrowserContextOptions} options */
async function takeAll(name, options) {
  const context = await browser.newContext(options);
  const states = { idle, checking, sign, signing, unverifiable, first, second, confirming, verified, late, claimed, failed, refused, unreachable };
  for (const [state, arrange] of Object.entries(states)) {
    const tab = await context.newPage();
    await tab.goto(page);
    await tab.locator('#claim:not([disabled])').waitFor();
    await arrange(tab);
    // Long enough for what moves to come to rest, and shorter than a completed check stays on screen.
    await tab.waitForTimeout(350);
    await tab.screenshot({ path: join(folder, `${state}-${name}.png`), fullPage: state === 'idle' || state === 'claimed' });
    await tab.close();
  }
  await context.close();
}

async function idle() {}

/** The service takes its time to open the check. */
async function checking(tab) {
  await tab.route(CHECKS, () => {});
  await tab.locator('#claim').click();
  await view(tab, 'checking');
}

/** The service asks for a signature, and the page has a wallet whose user takes time. */
async function sign(tab) {
  await tab.route(CHECKS, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.sign = { message: 'A message', code: 'K7QM' };
    await route.fulfill({ response, json });
  });
  await tab.evaluate(() => {
    document.querySelector('voight-check').signMessage = () => new Promise(() => {});
  });
  await tab.locator('#claim').click();
  await view(tab, 'sign');
}

async function signing(tab) {
  await sign(tab);
  await tab.frameLocator('voight-check iframe').getByRole('button', { name: 'Sign' }).click();
  await tab.frameLocator('voight-check iframe').getByText('Waiting').waitFor();
}

/** The wallet turns out to be a contract. */
async function unverifiable(tab) {
  await sign(tab);
  await tab.evaluate(() => {
    document.querySelector('voight-check').signMessage = async () => `0x${'ab'.repeat(100)}`;
  });
  await tab.frameLocator('voight-check iframe').getByRole('button', { name: 'Sign' }).click();
  await tab.frameLocator('voight-check iframe').getByText('contract').waitFor();
}

async function first(tab) {
  await tab.locator('#claim').click();
  await view(tab, 'first');
}

async function second(tab) {
  await first(tab);
  await press(tab, 'first');
  await view(tab, 'second');
}

/** The platform takes its time to agree. */
async function confirming(tab) {
  await tab.evaluate(() => {
    document.querySelector('voight-check').confirm = () => new Promise(() => {});
  });
  await second(tab);
  await press(tab, 'second');
  await tab.getByText('Finishing').waitFor();
}

async function verified(tab) {
  await second(tab);
  await press(tab, 'second');
  await view(tab, 'verified');
}

/** After more than five seconds the dialog asks for one more press. */
async function late(tab) {
  await first(tab);
  await tab.waitForTimeout(5000);
  await press(tab, 'first');
  await press(tab, 'second');
  await tab.getByText('Continue').waitFor();
}

async function claimed(tab) {
  await second(tab);
  await press(tab, 'second');
  await tab.locator('#quest:is([data-state="claimed"], [data-state="review"])').waitFor();
}

/** The connection is lost on the way. */
async function failed(tab) {
  await tab.route(STEPS, (route) => route.abort());
  await first(tab);
  await press(tab, 'first');
  await view(tab, 'failed');
}

/** The service refuses to open a check. */
async function refused(tab) {
  const error = { success: false, error: { id: 'm_g_r_1', code: 'RATE_LIMITED', message: 'Too many requests.' } };
  const headers = { 'x-request-id': '01kanc5xt6f3vq0d9g8m2y7rwb' };
  await tab.route(CHECKS, (route) => route.fulfill({ status: 429, headers, json: error }));
  await tab.locator('#claim').click();
  await view(tab, 'failed');
}

/** The frame never comes. */
async function unreachable(tab) {
  await tab.route('**/window/v1?**', () => {});
  await tab.reload();
  await tab.locator('#claim:not([disabled])').click();
  await tab.getByText('Try again').waitFor();
}

async function view(tab, name) {
  await tab.frameLocator('voight-check iframe').locator(`body[data-view="${name}"]`).waitFor();
}

async function press(tab, role) {
  await tab.frameLocator('voight-check iframe').locator(`#press[data-role="${role}"]`).click();
}
