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
