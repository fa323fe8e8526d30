// Runs the cases of a suite in one browser, one after the other, and prints a line for each. Long cases are in the suite's
// `full`
// cases, which run if VOIGHT_FULL is set.
//
//   node run.mjs SUITE chromium|firefox [CASE…]
import { openBrowser } from './lib/browser.mjs';
import { Service } from './lib/service.mjs';
import { Site } from './lib/site.mjs';

const CASE_MS = 60000;
const [name, browserName, ...only] = process.argv.slice(2);
const suite = await import(`./suites/${name}.mjs`);

/** Environment of a case: a browser, a service with an account, and a site. The tab is its own.
 * @typedef {{browser: import('puppeteer-core').Browser, browserName: string, service: Service, account: any, site: Site, tab: import('puppeteer-core').Page}} Stage */

/** Time limit of a case; a suite that measures may have a longer one. */
const caseMs = suite.caseMs ?? CASE_MS;
const limit = (work) =>
  Promise.race([work, new Promise((_, reject) => setTimeout(() => reject(new Error(`it takes longer than ${caseMs / 1000} s`)), caseMs).unref())]);

const [service, site] = [await Service.start(suite.serve), await Site.open()];
const account = await service.account();
const browser = await openBrowser(browserName, suite.launch?.(browserName));
/** @type {string[]} */
const failures = [];
try {
  for (const [title, run] of Object.entries({ ...suite.cases, ...(process.env.VOIGHT_FULL && suite.full) })) {
    if (only.length > 0 && !only.includes(title)) continue;
    const began = performance.now();
    const before = (await service.log()).length;
    const tab = await browser.newPage();
    const error = await limit(run({ browser, browserName, service, account, site, tab })).then(() => null, (cause) => cause);
    await tab.close().catch(() => {});
    if (error) failures.push(`FAIL ${title}\n${error.stack}\nthe service meanwhile:\n${(await service.log()).slice(before)}`);
    console.log(`${error ? 'FAIL' : 'ok'} ${title} (${Math.round(performance.now() - began)} ms)`);
  }
} finally {
  await browser.close().catch(() => {});
  await site.close();
  await service.stop();
}
// Failures are printed last, where a reader of the end of a log finds them.
for (const failure of failures) console.log(failure);
process.exit(failures.length ? 1 : 0);
