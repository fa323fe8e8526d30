// Browsers. One library drives both: Chromium by its own protocol, Firefox by WebDriver BiDi.
import puppeteer from 'puppeteer-core';

/** Flags that run all frames of a page in one process: the driver may miss that a frame of another site has moved to its own process, and
 * then receives nothing of it. Emulation for the page then applies to the window as well. */
const ONE_PROCESS = ['--disable-site-isolation-trials', '--disable-features=IsolateOrigins,site-per-process'];

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  ...ONE_PROCESS,
];

/** Opens a headless browser with a fresh profile.
 * @param {'chromium' | 'firefox'} name @param {import('puppeteer-core').LaunchOptions} [options] */
export function openBrowser(name, { args = [], ...options } = {}) {
  const viewport = { width: 1280, height: 800 };
  const how =
    name === 'firefox'
      ? { browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' }
      : { browser: 'chrome', executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...CHROMIUM_FLAGS, ...args] };
  return puppeteer.launch({ headless: true, defaultViewport: viewport, ...how, ...options });
}

/** Returns the options of a browser with reduced motion: nothing is shown longer than necessary.
 * @param {'chromium' | 'firefox'} name @returns {import('puppeteer-core').LaunchOptions} */
export const calm = (name) =>
  name === 'firefox'
    ? { extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 } }
    : { args: ['--force-prefers-reduced-motion'] };
