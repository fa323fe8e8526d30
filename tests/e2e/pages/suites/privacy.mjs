// Information for a visitor, and data that a browser stores of a check.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { complete, element, page, press, eventsOf, untilState, windowAt, windowFrame } from '../lib/quest.mjs';

const LANGUAGES = (await readdir(`${process.env.VOIGHT_REPOSITORY}/crates/browser/assets/locales`)).map((file) => file.replace('.json', ''));

/** Opens the window up to its first target. @returns {Promise<import('puppeteer-core').Frame>} */
async function opened(stage, tab, address) {
  await tab.goto(address);
  await tab.waitForFunction(() => customElements.get('voight-check'));
  await (await tab.$('#claim')).click();
  return windowAt(tab, 'first');
}

/** Returns the data that a document stores. @param {import('puppeteer-core').Page | import('puppeteer-core').Frame} where */
const kept = (where) =>
  where.evaluate(async () => ({
    cookie: document.cookie,
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map((one) => one.name),
  }));

export const cases = {
  async 'the window explains what is checked and continues'(stage) {
    const { tab } = stage;
    const frame = await opened(stage, tab, page(stage, element(stage)));
    await (await frame.$('#about')).click();
    await frame.waitForSelector('#disclosure[open]');
    assert.match(await frame.$eval('#disclosure-text', (node) => node.textContent), /person/);
    const inner = await (await frame.waitForSelector('#disclosure-page')).contentFrame();
    await inner.waitForSelector('#kept');
    assert.match(await inner.$eval('#kept', (node) => node.textContent), /\b30$/);
    assert.ok(await inner.evaluate(() => document.querySelectorAll('dd').length === 8 && innerHeight > 150));
    await (await frame.$('#disclosure-close')).focus();
    await tab.keyboard.press('Escape');
    await frame.waitForFunction(() => !document.querySelector('#disclosure').open);
    assert.equal(await tab.$eval('voight-check', (node) => node.state), 'press', 'Escape closes what is on top, and no more');
    assert.equal(await frame.evaluate(() => document.activeElement.id), 'about');
    await press(tab);
    await untilState(tab, 'verified');
    assert.deepEqual(await eventsOf(tab, 'violation'), []);
  },

  async 'the page about what is checked fits a narrow screen and follows the theme'({ service, account, tab }) {
    await tab.setViewport({ width: 320, height: 600 });
    const colours = new Set();
    for (const theme of ['light', 'dark']) {
      await tab.goto(`${service.url}/window/v1/what-is-checked?context=${account.context}&theme=${theme}`);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), theme);
      colours.add(await tab.$eval('html', (node) => getComputedStyle(node).backgroundColor));
    }
    assert.equal(colours.size, 2);
  },

  async 'the page about what is checked takes at most three screens of a phone in every language'({ service, account, tab }) {
    await tab.setViewport({ width: 390, height: 844 });
    for (const locale of LANGUAGES) {
      await tab.goto(`${service.url}/window/v1/what-is-checked?context=${account.context}&locale=${locale}`);
      const { screens, scrollsSideways, lang } = await tab.evaluate(() => ({
        screens: document.documentElement.scrollHeight / innerHeight,
        scrollsSideways: document.documentElement.scrollWidth > innerWidth,
        lang: document.documentElement.lang,
      }));
      assert.deepEqual([lang, scrollsSideways], [locale, false]);
      assert.ok(screens <= 3, `${locale}: ${screens} screens`);
    }
  },

  async 'the page about what is checked is in the language of the window'(stage) {
    const { tab } = stage;
    const frame = await opened(stage, tab, page(stage, element(stage, 'locale="de"')));
    await (await frame.$('#about')).click();
    const inner = await (await frame.waitForSelector('#disclosure-page')).contentFrame();
    await inner.waitForSelector('#kept');
    assert.equal(await inner.$eval('h1', (node) => node.textContent), 'Was geprüft wird');
  },

  async 'no document sets a cookie, and the host page stores nothing'(stage) {
    const { tab } = stage;
    await tab.goto(page(stage, element(stage)));
    await complete(tab);
    const frame = windowFrame(tab);
    const storedByFrame = await kept(frame);
    await untilState(tab, 'verified');
    assert.deepEqual(await kept(tab), { cookie: '', local: [], session: [], databases: [] });
    assert.equal(storedByFrame.cookie, '');
    assert.deepEqual([storedByFrame.local, storedByFrame.session], [['voight-id'], []]);
    assert.deepEqual(await stage.browser.cookies(), []);
  },

  async "the browser's storage is partitioned by site"(stage) {
    const ids = new Set();
    for (const host of ['127.0.0.1', 'quest.localhost']) {
      const address = page(stage, element(stage)).replace('127.0.0.1', host);
      for (const round of [1, 2]) {
        const tab = await stage.browser.newPage();
        await opened(stage, tab, address);
        await press(tab);
        const frame = windowFrame(tab);
        const id = await frame.waitForFunction(() => localStorage.getItem('voight-id')).then((handle) => handle.jsonValue());
        assert.equal(round === 2, ids.has(id), `${host}, round ${round}`);
        ids.add(id);
        await untilState(tab, 'verified');
        await tab.close();
      }
    }
    assert.equal(ids.size, 2);
  },
};
