// Modules whose hashes the page pins: those of `voight doctor --assets` run, and a changed module does not.
import assert from 'node:assert/strict';
import { complete, element, page, eventsOf, untilState } from '../lib/quest.mjs';

/** Returns a page with each module's hash. @param {(path: string, integrity: string) => string} [change] */
async function open(stage, change = (_, integrity) => integrity) {
  const { service, tab } = stage;
  const { assets } = await service.command('doctor', '--assets');
  const integrity = Object.fromEntries(assets.map(({ path, integrity }) => [service.url + path, change(path, integrity)]));
  const map = `<script type="importmap">${JSON.stringify({ integrity })}</script>`;
  await tab.goto(page(stage, map + element(stage)));
  await tab.waitForFunction(() => window.events);
}

const OTHER = `sha384-${'A'.repeat(64)}`;

export const cases = {
  async 'modules with the hashes of the service run'(stage) {
    await open(stage);
    await complete(stage.tab);
    await untilState(stage.tab, 'verified');
  },

  async 'an entry module with another hash does not run'(stage) {
    await open(stage, (path, integrity) => (path === '/sdk/v1/voight.js' ? OTHER : integrity));
    assert.equal(await stage.tab.evaluate(() => Boolean(customElements.get('voight-check'))), false);
  },

  async 'a later module with another hash does not run and is an error'(stage) {
    await open(stage, (path, integrity) => (path === '/sdk/v1/dialog.js' ? OTHER : integrity));
    await stage.tab.waitForFunction(() => customElements.get('voight-check'));
    // Repeated three times: a module that failed to load is never fetched by an address without a hash.
    for (let time = 1; time <= 3; time += 1) {
      await (await stage.tab.$('#claim')).click();
      await stage.tab.waitForFunction((time) => window.events.filter(({ name }) => name === 'error').length === time, {}, time);
    }
    assert.deepEqual((await eventsOf(stage.tab, 'error')).map(({ detail }) => detail.code), Array(3).fill('network'));
    assert.equal(await stage.tab.evaluate(() => document.querySelector('voight-check').state), 'failed');
  },
};
