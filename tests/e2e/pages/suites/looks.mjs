// Compares screenshots of the states with those under `screens`. VOIGHT_UPDATE=1 writes them.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { windowAt } from '../lib/quest.mjs';
import { STATES, visibleWindow } from '../lib/states.mjs';
import { isUpdate } from '../lib/update.mjs';
import { asVisitor } from '../lib/visitor.mjs';

const SCREENS = join(process.env.VOIGHT_REPOSITORY, 'tests/e2e/pages/screens');
/** Directory of differing screenshots. */
const DIFFERENCES = process.env.VOIGHT_PICTURES ?? join(tmpdir(), 'voight-pictures');
/** Maximum colour difference of an equal pixel (0 to 1), because machines render letters differently. */
const PIXEL_TOLERANCE = 0.2;
/** Maximum share of differing pixels in an equal screenshot. */
const MAX_DIFFERING_SHARE = 0.01;

const PHONE = { size: { width: 390, height: 600 } };
const DESKTOP = { size: { width: 800, height: 600 } };
const RIGHT_TO_LEFT = { ...PHONE, attributes: 'locale="ar"', rtl: true };
const CUSTOM_COLOURS = { ...PHONE, style: 'voight-check { --voight-accent: #0a7d5c; --voight-surface: #fbf7ef; --voight-ink: #2b2118; --voight-radius: 4px; }' };

/** Makes screenshots reproducible: fixes the position of a target, the code and the reference, and stops animations. Runs in the window and in the page. */
function settle() {
  const press = document.querySelector('#press');
  if (press) Object.assign(press.style, { left: press.dataset.role === 'first' ? '12px' : '55%', top: '38%' });
  const code = document.querySelector('#code');
  if (code?.textContent) code.textContent = 'K7QM';
  const reference = document.querySelector('#reference');
  if (reference) reference.textContent = reference.textContent.replace(/[0-9a-f]{32}/, '0123456789abcdef0123456789abcdef');
  const roots = [document, ...[...document.querySelectorAll('voight-check')].map((element) => element.shadowRoot)];
  for (const motion of roots.flatMap((root) => root.getAnimations())) {
    motion.pause();
    const { duration } = motion.effect.getComputedTiming();
    motion.currentTime = motion.effect.getComputedTiming().iterations === Infinity ? 0 : duration;
  }
}

/** Takes a screenshot of a page with the settled window. */
async function picture(tab) {
  await tab.mouse.move(0, 0);
  const frame = await visibleWindow(tab);
  // The dialog follows the height that the window requests.
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const target of [tab, ...(frame ? [frame] : [])]) await target.evaluate(settle);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return Buffer.from(await tab.screenshot({ optimizeForSpeed: false }));
}

/** Writes a differing screenshot. @returns {Promise<string>} its path */
async function writeDifference(name, image) {
  await mkdir(DIFFERENCES, { recursive: true });
  await writeFile(join(DIFFERENCES, name), image);
  return join(DIFFERENCES, name);
}

/** Compares a screenshot with the committed one, or replaces that. */
async function compare(name, image) {
  if (isUpdate()) {
    await mkdir(SCREENS, { recursive: true });
    return writeFile(join(SCREENS, name), image);
  }
  const [expected, now] = [await readFile(join(SCREENS, name)), image].map((bytes) => PNG.sync.read(bytes));
  const { width, height } = now;
  if (width !== expected.width || height !== expected.height) {
    const path = await writeDifference(name, image);
    throw new Error(`${path} has ${width} by ${height} pixels; the committed screenshot has ${expected.width} by ${expected.height}`);
  }
  const difference = new PNG({ width, height });
  const share = pixelmatch(expected.data, now.data, difference.data, width, height, { threshold: PIXEL_TOLERANCE }) / (width * height);
  if (share <= MAX_DIFFERING_SHARE) return;
  const differencePath = await writeDifference(name.replace('.png', '-difference.png'), PNG.sync.write(difference));
  const percent = (100 * share).toFixed(1);
  const path = await writeDifference(name, image);
  throw new Error(`${percent} % of the pixels of ${path} differ, see ${differencePath}; if the change is intended, run again with VOIGHT_UPDATE=1`);
}

/** Returns a case that compares screenshots of states with the settings of a visitor. */
const pictures = (how, settings, states, suffix) => {
  const look = async (tab, state, browserName) => compare(`${browserName}-${state}-${suffix}.png`, await picture(tab));
  return asVisitor(settings, states, look, how);
};

/** Returns a colour of the dialog and of the window, which must be equal. @param {import('puppeteer-core').Page} tab @param {string} name */
async function colour(tab, name) {
  const read = (element, name) => getComputedStyle(element).getPropertyValue(name).trim();
  const dialog = await tab.$eval('voight-check >>> dialog', read, `--${name}`);
  const inWindow = await (await windowAt(tab, 'first')).$eval('html', read, `--${name}`);
  assert.equal(inWindow, dialog, 'the window has the colour of the dialog');
  return dialog;
}

/** Returns a case that sets custom properties on the element and compares the effective colours. */
const hasColours = (style, expected) => async (stage) => {
  await STATES.first(stage, { ...PHONE, style: `voight-check { ${style} }`, attributes: 'theme="light"' });
  for (const [name, value] of Object.entries(expected)) assert.equal(await colour(stage.tab, name), value, name);
};

const DEFAULT_COLOURS = { accent: '#2f5bea', 'on-accent': '#ffffff', surface: '#ffffff', ink: '#14203a' };

export const cases = {
  'a colour may have any CSS syntax': hasColours('--voight-accent: hsl(0 100% 20%); --voight-ink: black', {
    ...DEFAULT_COLOURS,
    accent: '#660000',
    ink: '#000000',
  }),
  'text on the accent has sufficient contrast': hasColours('--voight-accent: #d08000; --voight-on-accent: #ddd', {
    accent: '#d08000',
    'on-accent': '#0c1430',
  }),
  'colours without sufficient contrast are ignored': hasColours('--voight-accent: #ff0; --voight-ink: #bbb', DEFAULT_COLOURS),
  'values that are no opaque colours are ignored': hasColours('--voight-accent: url(x); --voight-surface: rgb(0 0 0 / 50%); --voight-ink: 7', DEFAULT_COLOURS),
  'on a phone': pictures(PHONE, {}, ['sign', 'first', 'failed', 'declined'], 'phone'),
};

const CHROMIUM_ONLY = {
  'the steps of a check': pictures(PHONE, {}, ['opening', 'checking', 'second', 'confirming', 'verified'], 'phone'),
  'an expired receipt or session': pictures(PHONE, {}, ['late', 'expired'], 'phone'),
  'wallet signature': pictures(PHONE, {}, ['signing', 'unsigned', 'unverifiable'], 'phone'),
  'errors and test mode': pictures(PHONE, {}, ['limited', 'blocked', 'stub', 'test'], 'phone'),
  'on a desktop': pictures(DESKTOP, {}, ['idle', 'opening', 'first', 'sign'], 'desktop'),
  'dark colour scheme': pictures(PHONE, { dark: true }, ['opening', 'sign', 'first', 'verified', 'failed', 'test'], 'dark'),
  'in forced colours': pictures(PHONE, { forced: true }, ['opening', 'sign', 'first', 'verified'], 'forced'),
  'right-to-left': pictures(RIGHT_TO_LEFT, {}, ['first', 'sign', 'limited'], 'rtl'),
  'custom colours': pictures(CUSTOM_COLOURS, {}, ['first', 'failed', 'blocked'], 'own'),
};

/** Cases for Chromium only: Firefox renders the same style sheets, so the cases above are sufficient for it. */
export const full = process.argv[3] === 'chromium' ? CHROMIUM_ONLY : {};
