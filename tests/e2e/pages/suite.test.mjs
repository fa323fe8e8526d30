// Runs the cases of a suite in one browser, one after the other. Slow cases are the suite's `full` cases, which run if VOIGHT_FULL is set.
//
//   node [--test-name-pattern=CASE] suite.test.mjs SUITE chromium|firefox
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { openBrowser } from './lib/browser.mjs';
import { Service } from './lib/service.mjs';
import { Site } from './lib/site.mjs';

const CASE_MS = 60000;
const [name, browserName] = process.argv.slice(2);
const suite = await import(`./suites/${name}.mjs`);

/** Arguments of a case: a browser, a service with an account, and a site. Each case has its own tab.
 * @typedef {{browser: import('puppeteer-core').Browser, browserName: string, service: Service, account: any, site: Site, tab: import('puppeteer-core').Page}} Stage */

const [service, site] = [await Service.start(suite.serve), await Site.open()];
const account = await service.account();
const browser = await openBrowser(browserName, suite.launch?.(browserName));

describe(`${name} in ${browserName}`, () => {
  let [tab, logged] = [];
  beforeEach(async () => ([tab, logged] = [await browser.newPage(), (await service.log()).length]));
  afterEach(async (t) => {
    await tab.close().catch(() => {});
    if (!t.passed) t.diagnostic(`the service meanwhile:\n${(await service.log()).slice(logged)}`);
  });
  after(() => Promise.all([browser.close().catch(() => {}), site.close(), service.stop()]));
  // A suite that measures may take longer.
  const timeout = suite.caseMs ?? CASE_MS;
  for (const [title, run] of Object.entries({ ...suite.cases, ...(process.env.VOIGHT_FULL && suite.full) }))
    test(title, { timeout }, () => run({ browser, browserName, service, account, site, tab }));
});
