// Libraries whose handlers run on pointers and keys instead of the click.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { bundle } from '../../lib/bundle.mjs';
import { connectedFake, fakeWindow, receipt, sendFromFake } from '../../lib/fake-window.mjs';
import { meansOf } from '../../lib/press.mjs';
import { ADDRESS, EVENT_RECORDER, untilState } from '../../lib/quest.mjs';

/** The recipe of the reference, with a handler and names of the test. */
async function recipe() {
  const page = await readFile(`${process.env.VOIGHT_REPOSITORY}/docs/reference/component.md`, 'utf8');
  const [, text] = /<!-- run: react-aria -->\n```tsx\n([\s\S]+?)\n```/.exec(page);
  return text;
}

/** Writes a page of React with a fake window. @param {any} stage @param {string} entry @param {string} [text] instead of a file under `apps`
 * @returns {Promise<() => Promise<void>>} opens the page */
async function written(stage, entry, text) {
  const { tab, site, service, account } = stage;
  const fake = fakeWindow(stage);
  site.put('/app.js', await bundle(entry, service.url, {}, text));
  site.put('/notes.js', EVENT_RECORDER);
  const root = `<div id="root" data-service="${fake.service.url}" data-context="${account.context}" data-address="${ADDRESS}"></div>`;
  const scripts = '<script type="module" src="/notes.js"></script><script type="module" src="/app.js"></script>';
  const page = site.put('/', `<!doctype html><html lang="en"><title>A quest</title><body>${root}${scripts}</body></html>`);
  return async () => {
    await tab.goto(page);
    await tab.waitForSelector('#claim');
  };
}

const pressesOf = (tab) => tab.evaluate(() => window.events.filter(({ name }) => name === 'pressed').map(({ detail }) => detail));

/** Presses by every means, and asserts that the handler runs once, after the check. @param {string} entry */
const runsOnce = (entry) => async (stage) => {
  const { tab, browserName } = stage;
  const open = await written(stage, entry);
  for (const [name, press] of meansOf(browserName)) {
    await open();
    await press(tab);
    await connectedFake(tab);
    assert.deepEqual(await pressesOf(tab), [], `${name}: before the check`);
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await untilState(tab, 'verified');
    await tab.waitForFunction(() => window.events.some((one) => one.name === 'pressed'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const kinds = { Enter: 'keyboard', Space: 'keyboard', script: 'virtual' };
    assert.deepEqual(await pressesOf(tab), [kinds[name] ?? name], `${name}: after the check`);
    assert.equal(await tab.$eval('#claim', (button) => button.hasAttribute('data-pressed')), false, `${name}: the button is released`);
  }
};

export const libraries = {
  'Button of react-aria-components: onPress runs once, after the check': runsOnce('react-aria.jsx'),

  async 'the recipe for React Aria'(stage) {
    const { tab } = stage;
    const text = `${await recipe()}
      import { createRoot } from 'react-dom/client';
      const root = document.querySelector('#root');
      const { service, context, address } = root.dataset;
      createRoot(root).render(<Claim service={service} context={context} address={address} onClaim={() => window.events.push({ name: 'pressed' })} />);`;
    const open = await written(stage, 'recipe.tsx', text.replace('<Button ', '<Button id="claim" '));
    await open();
    await (await tab.$('#claim')).click();
    await sendFromFake(tab, { t: 'done', receipt: receipt() });
    await tab.waitForFunction(() => window.events.some((one) => one.name === 'pressed'));
    assert.equal((await pressesOf(tab)).length, 1);
    // The claim has ended with a reset: the next press is checked again.
    await untilState(tab, 'idle');
  },
};

export const moreLibraries = {
  'useButton of react-aria: onPress runs once, after the check': runsOnce('use-button.jsx'),
};
