// Screenshots of the states, compared with those under `screens`. VOIGHT_UPDATE=1 writes them.
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
const KEPT = process.env.VOIGHT_PICTURES ?? join(tmpdir(), 'voight-pictures');
/** Tolerances for the rendering of letters on different machines: of a pixel, and the number of pixels beyond it. */
const PIXEL = 0.2;
const SHARE = 0.01;

const PHONE = { size: { width: 390, height: 600 } };
const DESKTOP = { size: { width: 800, height: 600 } };
const RIGHT_TO_LEFT = { ...PHONE, attributes: 'locale="ar"', rtl: true };
const OWN = { ...PHONE, style: 'voight-check { --voight-accent: #0a7d5c; --voight-surface: #fbf7ef; --voight-ink: #2b2118; --voight-radius: 4px; }' };

/** Makes screenshots reproducible: fixes the position of a target and the code, and stops animations. Runs in the window and in the page. */
function settle() {
  const press = document.querySelector('#press');
  if (press) Object.assign(press.style, { left: press.dataset.role === 'first' ? '12px' : '55%', top: '38%' });
  const code = document.querySelector('#code');
  if (code?.textContent) code.textContent = 'K7QM';
  const roots = [document, ...[...document.querySelectorAll('voight-check')].map((element) => element.shadowRoot)];
  for (const motion of roots.flatMap((root) => root.getAnimations())) {
    motion.pause();
    const { duration } = motion.effect.getComputedTiming();
    motion.currentTime = motion.effect.getComputedTiming().iterations === Infinity ? 0 : duration;
  }
}

async function picture(tab) {
  await tab.mouse.move(0, 0);
  const frame = await visibleWindow(tab);
  // The dialog follows the height that the window requests.
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const place of [tab, ...(frame ? [frame] : [])]) await place.evaluate(settle);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return Buffer.from(await tab.screenshot({ optimizeForSpeed: false }));
}

/** Writes a screenshot to the path that the message names. @returns {Promise<string>} */
async function keep(name, made) {
  await mkdir(KEPT, { recursive: true });
  await writeFile(join(KEPT, name), made);
  return join(KEPT, name);
}

async function compare(name, made) {
  if (isUpdate()) {
    await mkdir(SCREENS, { recursive: true });
    return writeFile(join(SCREENS, name), made);
  }
  const [expected, now] = [await readFile(join(SCREENS, name)), made].map((bytes) => PNG.sync.read(bytes));
  const { width, height } = now;
  if (width !== expected.width || height !== expected.height) {
    throw new Error(`${await keep(name, made)} is ${width} by ${height}, and was ${expected.width} by ${expected.height}`);
  }
  const difference = new PNG({ width, height });
  const share = pixelmatch(expected.data, now.data, difference.data, width, height, { threshold: PIXEL }) / (width * height);
  if (share <= SHARE) return;
  const shown = await keep(name.replace('.png', '-difference.png'), PNG.sync.write(difference));
  const percent = (100 * share).toFixed(1);
  throw new Error(`${percent} % of ${await keep(name, made)} have changed, see ${shown}; if that is right, run again with VOIGHT_UPDATE=1`);
}

/** Takes screenshots of states with the settings of a visitor. */
const pictures = (how, settings, states, suffix) => {
  const look = async (tab, state, browserName) => compare(`${browserName}-${state}-${suffix}.png`, await picture(tab));
  return asVisitor(settings, states, look, how);
};

/** Returns a colour of the dialog and of the window, which must be equal. @param {import('puppeteer-core').Page} tab @param {string} name */
async function colour(tab, name) {
  const read = (element, name) => getComputedStyle(element).getPropertyValue(name).trim();
  const dialog = await tab.$eval('voight-check >>> dialog', read, `--${name}`);
  const inside = await (await windowAt(tab, 'first')).$eval('html', read, `--${name}`);
  assert.equal(inside, dialog, 'in the window as around it');
  return dialog;
}

/** Settings of a page, and their effect. */
const takes = (style, expected) => async (stage) => {
  await STATES.first(stage, { ...PHONE, style: `voight-check { ${style} }`, attributes: 'theme="light"' });
  for (const [name, value] of Object.entries(expected)) assert.equal(await colour(stage.tab, name), value, name);
};

const OURS = { accent: '#2f5bea', 'on-accent': '#ffffff', surface: '#ffffff', ink: '#14203a' };

export const cases = {
  'colours are taken however they are written': takes('--voight-accent: hsl(0 100% 20%); --voight-ink: black', {
    ...OURS,
    accent: '#660000',
    ink: '#000000',
  }),
  'what is written on an accent can be read': takes('--voight-accent: #d08000; --voight-on-accent: #ddd', {
    accent: '#d08000',
    'on-accent': '#0c1430',
  }),
  'colours that could not be read are not taken': takes('--voight-accent: #ff0; --voight-ink: #bbb', OURS),
  'what is no colour is not taken': takes('--voight-accent: url(x); --voight-surface: rgb(0 0 0 / 50%); --voight-ink: 7', OURS),
  'on a phone': pictures(PHONE, {}, ['sign', 'first', 'failed', 'declined'], 'phone'),
};

const CHROMIUM_ONLY = {
  'the way through': pictures(PHONE, {}, ['opening', 'checking', 'second', 'confirming', 'verified'], 'phone'),
  'after it': pictures(PHONE, {}, ['late', 'expired'], 'phone'),
  'a wallet': pictures(PHONE, {}, ['signing', 'unsigned', 'unverifiable'], 'phone'),
  'what goes wrong': pictures(PHONE, {}, ['limited', 'blocked', 'stub', 'test'], 'phone'),
  'on a desktop': pictures(DESKTOP, {}, ['idle', 'opening', 'first', 'sign'], 'desktop'),
  'in the dark': pictures(PHONE, { dark: true }, ['opening', 'sign', 'first', 'verified', 'failed', 'test'], 'dark'),
  'in forced colours': pictures(PHONE, { forced: true }, ['opening', 'sign', 'first', 'verified'], 'forced'),
  'from right to left': pictures(RIGHT_TO_LEFT, {}, ['first', 'sign', 'limited'], 'rtl'),
  "in the page's colours": pictures(OWN, {}, ['first', 'failed', 'blocked'], 'own'),
};

/** Firefox renders the same style sheets; some screenshots verify it. */
export const full = process.argv[3] === 'chromium' ? CHROMIUM_ONLY : {};
