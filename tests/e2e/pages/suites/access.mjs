// Accessibility: axe finds nothing in any state, and keys, larger text, forced colours and reduced motion work.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { buttons, inVisiblePart, liveRegions, overflowing, scrollsSideways } from '../lib/parts.mjs';
import { eventsOf, untilState, windowAt } from '../lib/quest.mjs';
import { STATES, proceed, visibleWindow } from '../lib/states.mjs';
import { asVisitor } from '../lib/visitor.mjs';

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const TARGET = 44;
/** States of the page alone, without a visible part of the component. */
const UNSEEN = ['idle', 'expired'];
/** One state of each kind; a full run tests the others. */
const EVERY_TIME = ['opening', 'sign', 'first', 'verified', 'declined', 'failed', 'stub'];

/** Returns the violations that axe finds. The script is evaluated, so that no policy must allow it. @param {import('puppeteer-core').Page | import('puppeteer-core').Frame} place */
async function violations(place) {
  await place.evaluate(`${AXE}; 0`);
  const violations = await place.evaluate(
    (tags) => axe.run(document, { runOnly: tags, iframes: false, resultTypes: ['violations'] }).then((result) => result.violations),
    TAGS,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

/** Assertions for every state. @param {string} state @param {import('puppeteer-core').Page} tab */
async function examine(state, tab) {
  assert.deepEqual(await violations(tab), [], 'in the page');
  const frame = await visibleWindow(tab);
  if (frame) assert.deepEqual(await violations(frame), [], 'in the window');
  if (UNSEEN.includes(state)) return;
  const small = (await inVisiblePart(tab, buttons)).filter(({ width, height }) => Math.min(width, height) < TARGET);
  assert.deepEqual(small, [], `targets of less than ${TARGET} px`);
  const texts = await inVisiblePart(tab, liveRegions);
  assert.equal(texts.length, 1, `one live region is rendered, not ${JSON.stringify(texts)}`);
  assert.ok(texts[0], 'its text is empty');
}

/** Returns the description of the focused part for a screen reader, in addition to its name. */
const description = (tab) =>
  tab.$eval('voight-check', ({ shadowRoot }) => {
    const { activeElement: focused } = shadowRoot;
    const descriptionId = focused?.getAttribute('aria-describedby');
    return [focused?.textContent, descriptionId && shadowRoot.getElementById(descriptionId)?.textContent];
  });

const inState = (state, how) => async (stage) => {
  await STATES[state](stage, how);
  await examine(state, stage.tab);
};

const RIGHT_TO_LEFT = { attributes: 'locale="ar"', rtl: true };
const all = (states, suffix, how) => Object.fromEntries(states.map((state) => [`${state}${suffix}`, inState(state, how)]));

/** Returns the focused element of the window. @param {import('puppeteer-core').Frame} frame */
const focused = (frame) => frame.evaluate(() => document.activeElement.id || document.activeElement.name);

/** Tests the contrast of a choice under the pointer. */
async function choiceUnderPointer(stage) {
  await STATES.signing(stage, {});
  const frame = await visibleWindow(stage.tab);
  await frame.hover("#choices [name='skip']");
  assert.deepEqual(await violations(frame), []);
}

async function withoutPointer(stage) {
  const { tab } = stage;
  await STATES.idle(stage, {});
  await tab.focus('#claim');
  await tab.keyboard.press('Enter');
  assert.equal(await focused(await windowAt(tab, 'first')), 'press');
  await tab.keyboard.press(' ');
  await untilState(tab, 'verified');
  await proceed(tab);
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'claim', 'the focus comes back');
}

async function order(stage) {
  await STATES.sign(stage, {});
  const frame = await visibleWindow(stage.tab);
  assert.equal(await focused(frame), 'signButton');
  await stage.tab.keyboard.press('Tab');
  assert.equal(await focused(frame), 'skip');
  await stage.tab.keyboard.down('Shift');
  for (const name of ['signButton', 'close']) {
    await stage.tab.keyboard.press('Tab');
    assert.equal(await focused(frame), name);
  }
  await stage.tab.keyboard.up('Shift');
}

/** Asserts that Escape closes the window and the panel, and restores the focus. @param {string} state */
const escapes = (state) => async (stage) => {
  await STATES[state](stage, {});
  await stage.tab.keyboard.press('Escape');
  await untilState(stage.tab, 'idle');
  assert.equal(await stage.tab.evaluate(() => document.activeElement.id), 'claim');
  assert.equal((await eventsOf(stage.tab, 'cancel')).length, 1);
};

const NARROW = { size: { width: 320, height: 640 } };

async function fits(tab, state) {
  assert.deepEqual(await inVisiblePart(tab, overflowing), [], state);
  assert.equal(await inVisiblePart(tab, scrollsSideways), false, `${state} scrolls sideways`);
  assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${state} widens the page`);
}

async function bordered(tab, state) {
  const bare = await inVisiblePart(tab, (root) => {
    if (!matchMedia('(forced-colors: active)').matches) return ['colours are not forced'];
    const visibleButtons = [...root.querySelectorAll('button')].filter((button) => button.checkVisibility({ visibilityProperty: true }));
    const flat = visibleButtons.filter((button) => button.id !== 'close').filter((button) => {
      const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(button);
      return parseFloat(borderTopWidth) < 1 || borderTopColor === backgroundColor;
    });
    return flat.map((button) => button.textContent);
  });
  assert.deepEqual(bare, [], `${state} has buttons without an edge`);
}

async function still(tab, state) {
  const moving = await inVisiblePart(tab, (root) => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return ['motion is not reduced'];
    const page = root.ownerDocument ?? root;
    const running = (root.getRootNode().getAnimations?.() ?? page.getAnimations()).map((one) => one.effect.getTiming().duration);
    return running.filter((duration) => Number(duration) < 2000);
  });
  assert.deepEqual(moving, [], `${state} moves quickly`);
}

async function large(tab, state) {
  await fits(tab, state);
  const size = await inVisiblePart(tab, (root) => getComputedStyle(root.querySelector('#press, #choices button, .buttons button')).fontSize);
  assert.equal(size, '32px', `${state} has text of the visitor's size`);
}

const SHOWN = ['opening', 'sign', 'failed'];

export const cases = {
  ...all(EVERY_TIME, '', {}),
  ...all(['first', 'sign'], ' from right to left', RIGHT_TO_LEFT),
  'a check without a pointer': withoutPointer,
  'a hovered choice has sufficient contrast': choiceUnderPointer,
  'Tab moves from the primary to the secondary choice': order,
  'escape in the window': escapes('first'),
  'escape in the panel': escapes('opening'),
  'the layout fits 320 px': asVisitor({}, SHOWN, fits, NARROW),
  'forced colours': asVisitor({ forced: true }, SHOWN, bordered),
  'reduced motion': asVisitor({ calm: true }, ['opening', 'checking'], still),
  'text of twice the size': asVisitor({ fontSize: 32 }, SHOWN, large, { size: { width: 390, height: 844 } }),
};

export const full = {
  ...all(Object.keys(STATES), '', {}),
  ...all(Object.keys(STATES), ' from right to left', RIGHT_TO_LEFT),
  async 'the panel after a slow check describes its focused button'(stage) {
    await STATES.late(stage, {});
    assert.deepEqual(await description(stage.tab), ['Continue', 'All set.']);
  },
  'a check with text of twice the size': asVisitor({ fontSize: 32 }, ['verified'], async () => {}, NARROW),
};
