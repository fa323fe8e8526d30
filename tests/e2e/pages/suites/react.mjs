// React wrapper, in every supported version: bundled like a platform's page, rendered on a server, and hydrated.
import assert from 'node:assert/strict';
import { claimed } from '../lib/failure.mjs';
import { ADDRESS, complete, press, eventsOf, windowAt } from '../lib/quest.mjs';
import { rendered, served } from '../lib/react.mjs';
import { modules } from '../lib/sdk.mjs';

const VERSIONS = [17, 18, 19];

/** Opens the page that a server rendered; records the browser's complaints. */
async function open({ service, account, site, tab }, version) {
  const complaints = [];
  tab.on('console', (message) => ['error', 'warn', 'warning'].includes(message.type()) && complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(String(error)));
  const properties = { baseUrl: service.url, eoaAddress: ADDRESS, contextId: account.context, preload: 'open' };
  const [markup, script] = await Promise.all([rendered(service, version, properties), served(service, version, site)]);
  const start = `<script>window.events = []; window.given = ${JSON.stringify(properties)}</script><script type="module" src="${script}"></script>`;
  await tab.goto(site.put(`/in-react-${version}`, `<!doctype html><html lang="en"><title>A quest</title><link rel="icon" href="data:,"><div id="root">${markup}</div>${start}</html>`));
  await tab.waitForFunction(() => window.quest?.element);
  return { complaints, markup };
}

/** Waits until the button's own click has run, and returns the callbacks of each round. */
async function ended(tab) {
  await claimed(tab);
  return (await eventsOf(tab)).map(({ name, detail }) => `${name} in round ${detail}`);
}

/** Sets other properties of the component, and waits until they apply. */
async function set(tab, text) {
  await tab.evaluate(`window.asked = ${text}; window.quest.set(window.asked)`);
  await tab.waitForFunction(() => window.quest.more === window.asked);
}

/** Renders the page again, for another round. */
async function turn(tab, round) {
  await tab.evaluate(() => window.quest.turn());
  await tab.waitForFunction((round) => window.quest.round === round, {}, round);
}

const each = (title, run) =>
  Object.fromEntries(VERSIONS.map((version) => [`React ${version}: ${title}`, (stage) => run(stage, version)]));

export const cases = {
  ...each('server rendering and hydration without warnings', async (stage, version) => {
    const { complaints, markup } = await open(stage, version);
    assert.match(markup, /^<voight-check [^>]*context-id="spring\.[^"]*"[^>]*><button id="claim">Claim<\/button><\/voight-check>$/);
    await complete(stage.tab);
    assert.deepEqual(await ended(stage.tab), ['verified in round 0', 'claimed in round 0']);
    assert.deepEqual(complaints, []);
  }),

  ...each('an open window survives rerendering, and the newest callbacks are called', async (stage, version) => {
    const { tab } = stage;
    await open(stage, version);
    await (await tab.$('#claim')).click();
    await windowAt(tab, 'first');
    await tab.evaluate(() => (window.quest.element.shadowRoot.querySelector('iframe').kept = true));
    for (const round of [1, 2]) await turn(tab, round);
    await set(tab, `{ theme: 'dark', locale: 'en', labels: { title: 'One moment' }, className: 'later' }`);
    assert.equal(await tab.evaluate(() => window.quest.element.shadowRoot.querySelector('iframe').kept), true);
    await press(tab);
    assert.deepEqual(await ended(tab), ['verified in round 2', 'claimed in round 2']);
  }),

  ...each('an element that is mounted again with another key reports that its check was removed', async (stage, version) => {
    const { tab } = stage;
    await open(stage, version);
    await set(tab, `{ key: 'one', onCancel: ({ reason }) => window.events.push({ name: reason }) }`);
    await (await tab.$('#claim')).click();
    await windowAt(tab, 'first');
    await set(tab, `{ ...window.quest.more, key: 'two' }`);
    await tab.waitForFunction(() => window.events.some(({ name }) => name === 'removed'));
    await complete(tab);
    assert.deepEqual(await ended(tab), ['removed in round undefined', 'verified in round 0', 'claimed in round 0']);
  }),

  async 'the modules read no global of a browser on a server'({ service }) {
    const folder = await modules(service);
    const readValues = [];
    const names = ['window', 'document', 'location', 'self', 'customElements'];
    for (const name of names) Object.defineProperty(globalThis, name, { get: () => void readValues.push(name), configurable: true });
    try {
      const { VoightCheck } = await import(`${folder}/voight.js`);
      assert.equal(typeof VoightCheck, 'function');
    } finally {
      for (const name of names) delete globalThis[name];
    }
    assert.deepEqual(new Set(readValues), new Set(['customElements']));
  },

  ...each('a ref returns the element with its properties', async (stage, version) => {
    const { tab } = stage;
    const { complaints } = await open(stage, version);
    const seen = () =>
      tab.evaluate(() => {
        const { element } = window.quest;
        const { replayClick, disabled, labels, theme, state } = element;
        const isKept = element === document.querySelector('voight-check') && typeof element.verify === 'function';
        return { kept: isKept, replayClick, disabled, labels: labels ?? null, theme, state, class: element.className, confirms: typeof element.confirm };
      });
    const usual = { kept: true, replayClick: true, disabled: false, labels: null, theme: '', state: 'idle', class: '', confirms: 'undefined' };
    assert.deepEqual(await seen(), usual);
    await set(tab, `{ replayClick: false, disabled: true, labels: { title: 'One moment' }, theme: 'dark', className: 'check', confirm: async () => {} }`);
    const otherProperties = { replayClick: false, disabled: true, labels: { title: 'One moment' }, theme: 'dark', class: 'check', confirms: 'function' };
    assert.deepEqual(await seen(), { ...usual, ...otherProperties });
    await set(tab, `{ replayClick: true, disabled: false }`);
    assert.deepEqual(await seen(), usual);
    assert.deepEqual(complaints, []);
  }),
};
