// Positions of the component within a page.
import assert from 'node:assert/strict';
import { claimedOnce, passes } from '../../lib/hosts.mjs';
import { claim, element, page, press, untilState, windowAt } from '../../lib/quest.mjs';

/** @param {any} stage @param {string} body @param {string} [script] runs once the page is there */
async function at(stage, body, script = '') {
  stage.site.put('/place.js', script);
  await stage.tab.goto(page(stage, `${body}<script type="module" src="/place.js"></script>`));
}

/** Returns the element in a shadow root, which hides it from the surrounding page. @param {'open' | 'closed'} mode */
const shadow = (mode) => `
  const root = document.querySelector('#host').attachShadow({ mode: '${mode}' });
  root.append(document.querySelector('template').content);
  root.querySelector('voight-check').originSite = location.href;
  window.claim = root.querySelector('button');
  window.claim.addEventListener('click', () => events.push({ name: 'claimed' }));
`;

/** @param {any} stage @param {'open' | 'closed'} mode */
async function inShadow(stage, mode) {
  const inner = element(stage).replace('id="claim"', '');
  await at(stage, `<div id="host"></div><template>${inner}</template>`, shadow(mode));
  await passes(stage);
}

const FORM = `
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    events.push({ name: 'submitted', detail: new FormData(event.target, event.submitter).get('reward') });
  });
`;

/** @param {any} stage @param {(tab: import('puppeteer-core').Page) => Promise<void>} begin */
async function inForm(stage, begin) {
  const { tab } = stage;
  const check = element(stage).replace('<button', '<button name="reward" value="badge"');
  await at(stage, `<form>${check}<input name="code" value="x"></form>`, FORM);
  await claim(tab);
  await begin(tab);
  await press(tab);
  await claimedOnce(tab);
  const submittedDetails = await tab.evaluate(() => events.filter(({ name }) => name === 'submitted').map(({ detail }) => detail));
  assert.deepEqual(submittedDetails, ['badge'], 'the form is sent once, by the button');
}

/** Returns a page at another zoom: fewer or more of its pixels on the same screen. @param {any} stage @param {number} factor */
async function zoomed(stage, factor) {
  const [width, height] = [1280 / factor, 800 / factor];
  await stage.tab.setViewport({ width, height, deviceScaleFactor: factor });
  await at(stage, element(stage));
  await passes(stage);
}

const FULLSCREEN = `
  const host = document.querySelector('#host');
  document.querySelector('#enter').addEventListener('click', () => host.requestFullscreen().then(() => (host.dataset.full = 'yes')));
`;

const HOSTILE_STYLE =
  '<style>#host { transform: scale(0.5); opacity: 0.2; overflow: hidden; filter: blur(2px); contain: strict; width: 90px; height: 40px; pointer-events: none } #claim { pointer-events: auto } iframe, dialog { display: none !important } body { overflow: hidden }</style>';

export const places = {
  'open shadow root': (stage) => inShadow(stage, 'open'),
  'closed shadow root': (stage) => inShadow(stage, 'closed'),
  'form, by a click': (stage) => inForm(stage, async (tab) => (await claim(tab)).click()),
  'form, by Enter in a field': (stage) =>
    inForm(stage, async (tab) => {
      await tab.focus('input');
      await tab.keyboard.press('Enter');
    }),

  async 'details element'(stage) {
    await at(stage, `<details open id="host"><summary>More</summary>${element(stage)}</details>`);
    await passes(stage);
    assert.ok(await stage.tab.$eval('#host', (host) => host.open));
  },

  async 'popover'(stage) {
    await at(stage, `<div popover id="host">${element(stage)}</div>`, `document.querySelector('#host').showPopover()`);
    await passes(stage);
    assert.ok(await stage.tab.$eval('#host', (host) => host.matches(':popover-open')), 'the popover stays open');
  },

  async 'fullscreen element'(stage) {
    await at(stage, `<div id="host">${element(stage)}<button id="enter">Full screen</button></div>`, FULLSCREEN);
    await (await stage.tab.$('#enter')).click();
    await stage.tab.waitForSelector('#host[data-full]');
    await passes(stage);
    assert.equal(await stage.tab.evaluate(() => document.fullscreenElement?.id), 'host');
  },

  'page zoom of 50 %': (stage) => zoomed(stage, 0.5),
  'page zoom of 200 %': (stage) => zoomed(stage, 2),

  async 'transformed, clipped and faded part of a page'(stage) {
    await at(stage, `${HOSTILE_STYLE}<div id="host">${element(stage)}</div>`);
    await passes(stage);
  },

  async 'part of a page that becomes inert under the window'(stage) {
    const { tab } = stage;
    await at(stage, `<div id="host">${element(stage)}</div>`);
    await (await claim(tab)).click();
    await windowAt(tab, 'first');
    await tab.$eval('#host', (host) => {
      host.inert = true;
      host.setAttribute('aria-hidden', 'true');
      host.style.pointerEvents = 'none';
    });
    await press(tab);
    await untilState(tab, 'verified');
  },
};
