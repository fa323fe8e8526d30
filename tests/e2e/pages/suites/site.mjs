// Documentation site, as the binary serves it: accessibility, width, colours, search and keyboard.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
/** Sizes with colours. The first two have every size and every colour; a full run tests the pages of each kind with all. */
const LOOKS = [
  ['narrow', 'dark'],
  ['wide', 'light'],
  ['wide', 'dark'],
  ['narrow', 'light'],
];

/** Pages of each kind. */
const PAGES = ['', 'guides/configure.html', 'reference/openapi/lookups.html', 'reference/errors/m_l_e_1.html', 'search.html?q=receipt', 'absent.html'];

/** Opens a page, and records what its console reports and the requests to other origins. */
async function open({ tab, service }, path) {
  const faults = [];
  const origin = `http://127.0.0.1:${service.port}`;
  tab.on('pageerror', ({ message }) => faults.push(message));
  // The browser reports the status of a missing page itself.
  tab.on('console', (line) => line.type() === 'error' && !line.text().includes('404') && faults.push(line.text()));
  // Firefox reports a font of its own as a request for a data URL.
  const allowedPrefixes = ['data:', `${origin}/docs/`];
  tab.on('request', (request) => allowedPrefixes.some((start) => request.url().startsWith(start)) || faults.push(`requests ${request.url()}`));
  await tab.goto(`${origin}/docs/${path}`, { waitUntil: 'networkidle0' });
  return faults;
}

async function violations(tab) {
  await tab.evaluate(`${AXE}; 0`);
  const violations = await tab.evaluate((tags) => axe.run(document, { runOnly: tags, resultTypes: ['violations'] }).then((result) => result.violations), TAGS);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

/** Makes pages that are opened from now on have these colours: those of the system, or in Firefox, whose driver cannot emulate them,
 * those of the switch. */
async function prefer({ tab, browserName }, scheme) {
  if (browserName === 'chromium') await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  else await tab.evaluateOnNewDocument((theme) => localStorage.setItem('voight-theme', theme), scheme);
}

const isTooWide = (tab) => tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** Examines a page in a size and in colours. */
const examined = (path, size, scheme) => async (stage) => {
  const { tab } = stage;
  await tab.setViewport(SIZES[size]);
  await prefer(stage, scheme);
  assert.deepEqual(await open(stage, path), [], 'faults');
  assert.deepEqual(await violations(tab), []);
  assert.equal(await isTooWide(tab), false, 'the page scrolls sideways');
};

const each = (paths, looks) =>
  Object.fromEntries(
    paths.flatMap((path) => looks.map(([size, scheme]) => [`/docs/${path} is accessible, ${size} and ${scheme}`, examined(path, size, scheme)])),
  );

/** Returns the colour of the page. */
const surface = (tab) => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);

async function switchesColours(stage) {
  const { tab } = stage;
  if (stage.browserName === 'chromium') await prefer(stage, 'light');
  await open(stage, '');
  // Other cases have set a colour.
  await tab.evaluate(() => localStorage.clear());
  await tab.reload({ waitUntil: 'networkidle0' });
  const light = await surface(tab);
  const themes = [];
  for (const expected of ['light', 'dark']) {
    await tab.click('.theme');
    themes.push([await tab.$eval('.theme', (button) => button.getAttribute('aria-label')), (await surface(tab)) === light]);
    assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), expected);
  }
  assert.deepEqual(themes, [['Theme: light', true], ['Theme: dark', false]]);
  await tab.reload({ waitUntil: 'networkidle0' });
  assert.notEqual(await surface(tab), light, 'the choice is kept');
  await tab.click('.theme');
  assert.equal(await surface(tab), light, 'and follows the system again');
}

async function searchesByKeys(stage) {
  const { tab } = stage;
  await open(stage, 'guides/configure.html');
  await tab.keyboard.press('/');
  await tab.keyboard.type('redeem receipt');
  await tab.waitForSelector('#matches:not([hidden]) a');
  assert.deepEqual(await violations(tab), [], 'with matches');
  await tab.keyboard.press('ArrowDown');
  assert.match(await tab.evaluate(() => document.activeElement.href), /\/docs\/guides\/redeem-receipts\.html/);
  await tab.keyboard.press('Escape');
  assert.deepEqual(await tab.evaluate(() => [document.activeElement.id, document.getElementById('matches').hidden]), ['query', true]);
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press('Enter')]);
  await tab.waitForSelector('#results li a');
  const first = await tab.$eval('#results li a', (link) => link.href);
  assert.match(first, /redeem-receipts\.html/);
  await Promise.all([tab.waitForNavigation(), tab.click('#results li a')]);
  assert.match(tab.url(), /\/docs\/guides\/redeem-receipts\.html/);
}

async function findsNothing(stage) {
  await open(stage, 'search.html?q=qwertzuiop');
  await stage.tab.waitForFunction(() => document.getElementById('count').textContent.includes('No section has these words.'));
}

/** Questions in words, each with the pages that answer it. */
const QUESTIONS = {
  'how do I rotate a key?': ['guides/replace-a-leaked-key', 'reference/cli/key'],
  'why is my address a bot?': ['guides/inspect-and-correct-verdicts'],
  'how do I remove a wrong flag': ['guides/inspect-and-correct-verdicts'],
  'how do I delete the data of a wallet?': ['guides/erase-an-address'],
  'is it GDPR compliant?': ['guides/privacy-notice', 'guides/erase-an-address'],
  'how much does a lookup cost?': ['guides/set-prices', 'guides/bill-clients'],
  'my API key leaked, what now?': ['guides/replace-a-leaked-key'],
  'can I run it behind nginx?': ['guides/deploy-behind-a-reverse-proxy'],
  'how do I make a backup?': ['guides/back-up-and-restore'],
  'what does a score of 0 mean?': ['guides/tell-unknown-from-unsure'],
  'how do I reward only humans?': ['guides/reward-a-quest'],
  'can I use PostgreSQL?': ['guides/cluster-with-postgresql'],
  'how do I change the colors of the window?': ['guides/theming-and-localisation'],
  'installing with docker': ['guides/install'],
  'the disk is full': ['guides/recover-from-disk-errors'],
  'how do I check my invoices?': ['guides/verify-an-invoice'],
  'which metrics should I alert on?': ['reference/metrics'],
  'what does m_l_e_1 mean?': ['reference/errors/m_l_e_1'],
  'can one person use many wallets?': ['guides/linked-wallets'],
  'verifying receipts in my backend': ['guides/redeem-receipts'],
  'does it work in an iframe?': ['reference/embedding'],
  'what happens when the server crashes?': ['explanation/reliability'],
};
const LISTED = 3;

/** Asks the questions in the field of a page. */
async function answersQuestions(stage) {
  const { tab } = stage;
  await open(stage, 'guides/configure.html');
  await tab.focus('#query');
  await tab.waitForFunction(() => window.voightSearchIndex);
  const wrong = [];
  for (const [question, pages] of Object.entries(QUESTIONS)) {
    const matches = await tab.evaluate(async (text) => {
      const query = document.getElementById('query');
      const panel = document.getElementById('matches');
      panel.replaceChildren();
      query.value = text;
      query.dispatchEvent(new Event('input'));
      while (!panel.hasChildNodes()) await new Promise((resolve) => setTimeout(resolve));
      return [...panel.querySelectorAll('a')].map((link) => link.href);
    }, question);
    const listedPages = matches.slice(0, LISTED).map((address) => address.split('/docs/')[1]?.split('.html')[0]);
    if (!pages.some((page) => listedPages.includes(page))) wrong.push(`${question} ${listedPages}`);
  }
  assert.deepEqual(wrong, []);
}

async function helpsOnAMissingPage(stage) {
  const { tab } = stage;
  await open(stage, 'guides/rotate-a_key.html');
  assert.equal(await tab.$eval('.again input', (field) => field.value), 'rotate a key');
  const links = await tab.$$eval('#content li a', (all) => all.map((link) => new URL(link.href).pathname));
  assert.ok(links.includes('/docs/tutorial/protect-a-quest-page.html'), links.join(' '));
  await Promise.all([tab.waitForNavigation(), tab.click('.again button')]);
  await tab.waitForSelector('#results li a');
}

async function opensTheMenu(stage) {
  const { tab } = stage;
  await tab.setViewport(SIZES.narrow);
  await open(stage, 'guides/configure.html');
  const isShown = () => tab.$eval('#pages', (nav) => nav.checkVisibility());
  assert.equal(await isShown(), false);
  await tab.focus('.menu');
  await tab.keyboard.press('Enter');
  assert.equal(await isShown(), true);
  assert.deepEqual(await violations(tab), [], 'with the menu');
  assert.equal(await tab.$eval('#pages [aria-current]', (link) => link.textContent), 'Configure the service');
  await tab.keyboard.press('Escape');
  assert.equal(await isShown(), false);
}

async function skipsToTheContent(stage) {
  const { tab } = stage;
  await open(stage, 'guides/configure.html');
  await tab.keyboard.press('Tab');
  assert.equal(await tab.evaluate(() => document.activeElement.className), 'skip');
  await tab.keyboard.press('Enter');
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'content');
}

async function isReachableFromTheRoot(stage) {
  const { tab, service } = stage;
  await tab.goto(`http://127.0.0.1:${service.port}/`);
  for (const [size, scheme] of LOOKS) {
    await tab.setViewport(SIZES[size]);
    if (stage.browserName === 'chromium') await prefer(stage, scheme);
    assert.deepEqual(await violations(tab), [], `${size} and ${scheme}`);
    assert.equal(await isTooWide(tab), false, `${size}: the page scrolls sideways`);
  }
  await Promise.all([tab.waitForNavigation(), tab.click('a[href="docs/"]')]);
  assert.equal(await tab.$eval('h1', (title) => title.textContent), 'Rewards for people, not for bots');
  assert.ok(await tab.$eval('.picture img', (picture) => picture.complete && picture.naturalWidth > 0), 'the picture is shown');
}

export const cases = {
  ...each(PAGES, LOOKS.slice(0, 1)),
  'the colour switch persists': switchesColours,
  'search works by keys': searchesByKeys,
  'search without a result shows a message': findsNothing,
  'search answers questions in words': answersQuestions,
  'a missing page proposes its words and other pages': helpsOnAMissingPage,
  'the menu opens and closes by keys': opensTheMenu,
  'the first Tab focuses the skip link': skipsToTheContent,
  'the root links to the documentation': isReachableFromTheRoot,
};

/** More pages, with long tables, code and diagrams. */
const MORE_PAGES = [
  'tutorial/protect-a-quest-page.html',
  'repository/index.html',
  'repository/examples/index.html',
  'guides/cluster-with-postgresql.html',
  'guides/reward-a-quest.html',
  'reference/openapi.html',
  'reference/openapi/schemas.html',
  'reference/admin-openapi/contexts.html',
  'reference/errors.html',
  'reference/component.html',
  'reference/configuration.html',
  'reference/cli.html',
  'reference/cli/client.html',
  'reference/rules.html',
  'explanation/architecture.html',
  'explanation/detection.html',
  'explanation/reliability.html',
  'explanation/performance.html',
  'adr/index.html',
  'results/performance/optimisation-log.html',
  'changelog.html',
  'results/reliability/index.html',
];

export const full = { ...each(PAGES, LOOKS.slice(1)), ...each(MORE_PAGES, LOOKS.slice(0, 2)) };
