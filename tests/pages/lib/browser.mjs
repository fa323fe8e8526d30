// The browsers. Both are driven by one library: Chromium by its own protocol, Firefox by WebDriver BiDi.
import puppeteer from 'puppeteer-core';

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
];

/** Opens a browser without a window, with a fresh profile.
 * @param {'chromium' | 'firefox'} name @param {import('puppeteer-core').LaunchOptions} [options] */
export function openBrowser(name, { args = [], ...options } = {}) {
  const viewport = { width: 1280, height: 800 };
  const how =
    name === 'firefox'
      ? { browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' }
      : { browser: 'chrome', executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...CHROMIUM_FLAGS, ...args] };
  return puppeteer.launch({ headless: true, defaultViewport: viewport, ...how, ...options });
}

/** How to open a browser whose user wants little motion: nothing is shown longer than it has to be.
 * @param {'chromium' | 'firefox'} name @returns {import('puppeteer-core').LaunchOptions} */
export const calm = (name) =>
  name === 'firefox'
    ? { extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 } }
    : { args: [...CHROMIUM_FLAGS, '--force-prefers-reduced-motion'] };

/** How to open Chromium with all frames of a page in one process: on a busy machine its driver loses sight of frames of other sites that
 * come and go. Full runs are as people's browsers are.
 * @param {'chromium' | 'firefox'} name @returns {import('puppeteer-core').LaunchOptions} */
export const oneProcess = (name) =>
  name === 'chromium' && !process.env.VOIGHT_FULL
    ? { args: ['--disable-site-isolation-trials', '--disable-features=IsolateOrigins,site-per-process'] }
    : {};
