// Puppeteer and derived libraries.
import { FLAGS, HEADED, NEXT, page, sleep, variant } from './browser.mjs';

const FIREFOX = variant === 'firefox';
const STEALTH = variant.startsWith('stealth');
const GHOST = variant.endsWith('ghost');

async function library() {
  const { default: plain } = await import(variant === 'rebrowser' ? 'rebrowser-puppeteer-core' : 'puppeteer-core');
  if (!STEALTH) return plain;
  const [{ addExtra }, plugin] = await Promise.all([import('puppeteer-extra'), import('puppeteer-extra-plugin-stealth')]);
  return addExtra(plain).use(plugin.default());
}

const browser = await (await library()).launch({
  ...(FIREFOX ? { browser: 'firefox', executablePath: process.env.FIREFOX } : { executablePath: process.env.CHROMIUM, args: FLAGS }),
  headless: !HEADED,
  defaultViewport: HEADED ? null : { width: 1280, height: 800 },
});
try {
  const [tab] = await browser.pages();
  const cursor = GHOST ? await ghost(tab) : null;
  await tab.goto(page);
  await tab.waitForFunction(() => customElements.get('voight-check'));
  let last = -1;
  for (let tries = 0; tries < 600 && !(await hasEnded(tab)); tries += 1) {
    const [number, button] = await next(tab, last);
    if (button) {
      await (cursor ? cursor.click(button) : button.click());
      last = number;
    } else {
      await sleep(80);
    }
  }
} finally {
  await browser.close();
}

async function ghost(tab) {
  const { createCursor, GhostCursor } = await import('ghost-cursor');
  return GhostCursor ? new GhostCursor(tab) : createCursor(tab);
}

async function hasEnded(tab) {
  return (await tab.$('#quest[data-state="ended"]').catch(() => null)) !== null;
}

/** Returns the next element to press with its number, if it exists. The page may change at any time. */
async function next(tab, last) {
  for (const [number, name] of NEXT.entries()) {
    if (number <= last) continue;
    const where = number === 0 ? tab : tab.frames().find((frame) => frame.url().includes('/window/v1?'));
    const button = await where?.$(name).catch(() => null);
    if (button) return [number, button];
  }
  const resume = last < 0 ? null : await tab.$('voight-check >>> ::-p-text(Continue)').catch(() => null);
  return [last, resume];
}
