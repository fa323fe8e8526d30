// Every text of every language fits into window and panel, and visitors get their preferred language.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { windowModules } from '../lib/bundle.mjs';
import { inVisiblePart, scrollsSideways, overflowing } from '../lib/parts.mjs';
import { windowAt, windowFrame } from '../lib/quest.mjs';
import { STATES } from '../lib/states.mjs';

const FOLDER = `${process.env.VOIGHT_REPOSITORY}/crates/browser/assets/locales/`;
const LANGUAGES = (await readdir(FOLDER)).map((name) => name.replace('.json', ''));
const WIDTHS = [390, 320];
const PHONE = { width: WIDTHS[0], height: 844 };

/** Returns true if this machine has a font for a language; without one the widths would be those of empty boxes. */
async function readable(language, browserName) {
  const { stdout } = await promisify(execFile)('fc-list', [`:lang=${language.toLowerCase()}`]).catch(() => ({ stdout: '' }));
  if (stdout) return true;
  const missing = `${language} in ${browserName}: no font has its characters; \`cargo xtask test --only setup\` installs one`;
  if (process.env.CI) throw new Error(`${missing} (in CI nothing may be skipped)`);
  console.log(`SKIPPED ${missing}`);
  return false;
}

/** Shows each view of the window with each of its texts, and returns those without room. Runs in the window. */
async function measureViews({ view, strings }, language, overflowing, scrollsSideways) {
  await strings.loadTexts(language);
  for (const [id, name] of [['title', 'title'], ['hint', 'footer'], ['test', 'test']]) document.getElementById(id).textContent = strings.text(name);
  document.getElementById('test').hidden = false;
  const never = new AbortController().signal;
  const noted = () => {};
  const failures = ['failed', 'network', 'rate_limited', 'session_expired', 'origin_not_allowed', 'origin_mismatch', 'context_unknown',
    'context_closed', 'address_invalid', 'session_invalid', 'unsupported_browser'];
  const reference = '01kanc5xt6f3vq0d9g8m2y7rwb';
  const views = {
    checking: () => view.showChecking(),
    first: () => view.showTarget('first', 1, 0.5, never, noted),
    second: () => view.showTarget('second', 0, 1, never, noted),
    confirming: () => view.showProgress('confirming'),
    verified: () => view.showProgress('verified'),
    declined: () => view.showDeclined(''),
    waiting: () => view.showFailed({ code: 'rate_limited', retryable: true, reference, wait: 3600 }, noted, noted),
  };
  for (const name of ['sign', 'not_signed', 'not_bound']) views[name] = () => view.showSign(name, 'K7QM', ['signButton', 'skip'], never);
  views.signing = () => view.showSign('signing', 'K7QM', ['skip'], never);
  views.unverifiable = () => view.showSign('unverifiable', '', ['skip'], never);
  for (const code of failures) views[code] = () => view.showFailed({ code, retryable: true, reference, wait: 0 }, noted, noted);
  const problems = [];
  for (const [name, show] of Object.entries(views)) {
    show();
    for (const text of overflowing(document)) problems.push(`${name}: ${text}`);
    if (scrollsSideways(document)) problems.push(`${name} scrolls sideways`);
  }
  return problems;
}

async function inWindow(stage) {
  await STATES.first(stage, { size: PHONE });
  const frame = await windowAt(stage.tab, 'first');
  const modules = await windowModules('view', 'strings');
  await eachLanguage(stage, (language) => frame.evaluate(`(${measureViews})(${modules}, '${language}', ${overflowing}, ${scrollsSideways})`));
}

/** Runs a measurement in every language and at every width, and asserts that it finds nothing. */
async function eachLanguage({ tab, browserName }, measure) {
  const problems = [];
  for (const language of LANGUAGES) {
    if (!(await readable(language, browserName))) continue;
    for (const width of WIDTHS) {
      await tab.setViewport({ ...PHONE, width });
      for (const one of await measure(language)) problems.push(`${language} at ${width} px: ${one}`);
    }
  }
  assert.deepEqual(problems, []);
}

/** Measures like `measureViews`, with the component's own panel. Runs in the page. */
async function panels(service, language, overflowing) {
  const { Dialog } = await import(`${service}/sdk/v1/dialog.js`);
  const element = document.body.appendChild(document.createElement('voight-check'));
  const { panel } = new Dialog(element);
  const dialog = panel.node.closest('dialog');
  element.shadowRoot.adoptedStyleSheets = document.querySelector('voight-check').shadowRoot.adoptedStyleSheets;
  element.shadowRoot.append(dialog);
  dialog.showModal();
  await panel.setLanguage(language);
  const act = () => {};
  const views = {
    opening: () => panel.showProgress('opening', act),
    confirming: () => panel.showProgress('confirming', act),
    blocked: () => panel.showFailure({ code: 'window_blocked', retryable: true }, act, act),
    wrong: () => panel.showFailure({ code: 'origin_site_invalid', retryable: true }, act, act),
    declined: () => panel.showDeclined(panel.text('declined'), act),
    late: () => panel.showContinue(act),
  };
  const problems = [];
  for (const [name, show] of Object.entries(views)) {
    show();
    for (const text of overflowing(dialog)) problems.push(`${name}: ${text}`);
  }
  element.remove();
  return problems;
}

async function inPanel(stage) {
  await STATES.idle(stage, { size: PHONE });
  await stage.tab.evaluate(() => document.querySelector('voight-check').load());
  await windowAt(stage.tab, 'idle');
  const { url } = stage.service;
  await eachLanguage(stage, (language) => stage.tab.evaluate(`(${panels})('${url}', '${language}', ${overflowing})`));
}

/** Language requests of the page, and the languages of window and panel. */
const usesLanguage = (locale, tag, direction) => async (stage) => {
  await STATES.agreeing(stage, { attributes: `locale="${locale}"` });
  const languageOf = (root) => [root.lang, root.dir];
  assert.deepEqual(await stage.tab.$eval('voight-check >>> .panel', languageOf), [tag, direction], 'the panel');
  const frame = windowFrame(stage.tab);
  assert.deepEqual(await frame.$eval('html', languageOf), [tag, direction], 'the window');
  const title = JSON.parse(await readFile(`${FOLDER}${tag}.json`)).title;
  assert.equal(await frame.title(), title);
  const labels = await stage.tab.$eval('voight-check >>> dialog', (dialog) => [dialog.getAttribute('aria-label'), dialog.querySelector('iframe').title]);
  assert.deepEqual(labels, [title, title]);
};

/** Time limit of a case, in which a visitor reaches every state, one after the other. */
export const caseMs = 180000;

export const cases = {
  'every text fits into the window': inWindow,
  'every text fits into the panel': inPanel,
  'the page chooses the language': usesLanguage('ar-EG', 'ar', 'rtl'),
  'a regional locale uses the texts of its language': usesLanguage('pt-PT', 'pt-BR', 'ltr'),
  "the browser's language is used without a supported locale": usesLanguage('tlh', 'en', 'ltr'),
  async 'plural forms are those of the language'({ tab }) {
    for (const language of LANGUAGES) {
      const texts = Object.entries(JSON.parse(await readFile(`${FOLDER}${language}.json`)));
      const categories = await tab.evaluate((language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort(), language);
      for (const [name, text] of texts.filter(([, text]) => typeof text !== 'string')) {
        assert.deepEqual(Object.keys(text).sort(), categories, `${language} ${name}`);
      }
    }
  },
  async 'no language is loaded before the click'(stage) {
    const requestedPaths = [];
    stage.tab.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await STATES.idle(stage, { attributes: 'locale="fr" preload="mount"' });
    await windowAt(stage.tab, 'idle');
    const loadCount = () => requestedPaths.filter((path) => path === '/sdk/v1/locales/fr.js').length;
    assert.equal(loadCount(), 0);
    await stage.tab.click('#claim');
    await windowAt(stage.tab, 'first');
    assert.equal(loadCount(), 1);
  },
};

/** Every state, as a visitor reaches it. */
const everyState = (language) => async (stage) => {
  if (!(await readable(language, stage.browserName))) return;
  for (const state of Object.keys(STATES)) {
    const tab = await stage.browser.newPage();
    await STATES[state]({ ...stage, tab }, { size: { ...PHONE, width: 320 }, attributes: `locale="${language}"` });
    assert.deepEqual((await inVisiblePart(tab, overflowing)) ?? [], [], state);
    await tab.close();
  }
};

export const full = Object.fromEntries(LANGUAGES.map((language) => [`every state in ${language}`, everyState(language)]));
