// How long a visitor waits: from the click until the first target can be pressed, and from there until the check is complete.
//
// A few runs in CI only print. A full run makes a hundred of each kind, holds them against the goals, and with VOIGHT_UPDATE
// set writes docs/results/performance/speed.BROWSER.json.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { element, page, told, untilState, windowAt } from '../lib/quest.mjs';
import { isUpdate } from '../lib/update.mjs';

const [FEW, MANY] = [5, 100];
/** What one press costs a person: a driver that takes less waits for the rest, and what it takes beyond is not counted. */
const PRESS_MS = 400;
/** How long a mouse is above a button before it clicks: 95 of 100 of 10,306 recorded clicks of 80 people took longer from the edge
 * of a button of 120 by 44 px to the release; half took 311 ms. */
const ABOVE_MS = 165;
/** How long the page has been there before that: nobody clicks while a page is still coming, and a browser tidies up behind it. */
const READ_MS = 500;
/** The goals, in ms. */
const GOALS = { usable: { p95: 300 }, complete: { p50: 2500, p95: 6000 } };
/** What is held against the goals, which are for a mouse. The third is a browser that has seen nothing and is told of a click first. */
const MOUSE = ['hovered', 'warm'];

// One network makes all these checks, whose puzzles would grow.
const CONFIG = join(tmpdir(), 'voight-speed.toml');
writeFileSync(CONFIG, '[limits]\nchecks_per_minute = 100000\nchecks_refused_per_minute = 200000\n');
export const serve = ['--config', CONFIG];
export const caseMs = 900000;

/** The page's own notes of when it was told what. */
const CLOCK = `
  window.moments = [];
  const note = (name) => moments.push({ name, at: performance.now() });
  document.addEventListener('click', (event) => event.isTrusted && event.target.id === 'claim' && note('click'), { capture: true, once: true });
  // The picture after the page was told is the first that can show it.
  addEventListener('voight-statechange', (event) => requestAnimationFrame(() => note(event.detail)));
`;

/** One check of a new address, with the mouse above the button for so long before. @returns {Promise<{usable: number, complete: number}>} in ms */
async function run(stage, tab, above) {
  stage.site.put('/clock.js', CLOCK);
  const body = `${element(stage, `eoa-address="0x${randomBytes(20).toString('hex')}"`)}<script src="/clock.js"></script>`;
  await tab.goto(page(stage, body));
  await tab.waitForFunction(() => customElements.get('voight-check'));
  await pause(READ_MS);
  await (await tab.$('#claim')).hover();
  await pause(above);
  await tab.mouse.down();
  await tab.mouse.up();
  for (const role of ['first', 'second']) {
    const target = await (await windowAt(tab, role)).$('#press');
    await pause(PRESS_MS);
    await target.click();
  }
  await untilState(tab, 'verified');
  await tab.waitForFunction(() => window.moments.some((one) => one.name === 'verified'));
  return spans(await tab.evaluate(() => window.moments), await told(tab, 'error'));
}

/** @param {{name: string, at: number}[]} moments @param {unknown[]} errors */
function spans(moments, errors) {
  assert.deepEqual(errors, []);
  const names = ['click', 'opening', 'checking', 'press', 'confirming', 'press', 'confirming', 'verified'];
  assert.deepEqual(moments.map((one) => one.name).filter((name, at, all) => name !== all[at - 1]), names);
  const [click, , , first, pressed, second, again, end] = moments.filter((one, at) => one.name !== moments[at - 1]?.name).map((one) => one.at);
  return { usable: first - click, complete: PRESS_MS + (second - pressed) + PRESS_MS + (end - again) };
}

/** @param {number[]} values @param {number} share */
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1];

/** @param {{usable: number, complete: number}[]} runs */
function summary(runs) {
  const of = (name) => {
    const values = runs.map((one) => one[name]);
    return { p50: Math.round(quantile(values, 0.5)), p95: Math.round(quantile(values, 0.95)) };
  };
  return { runs: runs.length, usable: of('usable'), complete: of('complete') };
}

/** Makes runs with a browser that has seen nothing yet (cold), the same with a mouse that comes to the button before (hovered), or
 * one that has made such a check before (warm). */
async function measure(stage, kind, count) {
  const runs = [];
  const above = kind === 'hovered' ? ABOVE_MS : 0;
  if (kind === 'warm') await run(stage, stage.tab, above);
  while (runs.length < count) {
    const context = kind === 'warm' ? null : await stage.browser.createBrowserContext();
    runs.push(await run(stage, context ? await context.newPage() : stage.tab, above));
    await context?.close();
  }
  const found = summary(runs);
  console.log(`${stage.browserName} ${kind}: ${JSON.stringify(found)}`);
  return found;
}

/** Every kind. */
async function every(stage, count) {
  const found = {};
  for (const kind of ['cold', ...MOUSE]) found[kind] = await measure(stage, kind, count);
  return found;
}

function keep(stage, found, version) {
  const folder = join(process.env.VOIGHT_REPOSITORY ?? '.', 'docs/results/performance');
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const result = { date, browser: version, processors: cpus().length, ...found };
  writeFileSync(join(folder, `speed.${stage.browserName}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

export const cases = {
  async 'a few checks are timed'(stage) {
    await every(stage, FEW);
  },
};

export const full = {
  async 'a hundred checks keep the goals'(stage) {
    const found = await every(stage, MANY);
    if (isUpdate()) keep(stage, found, await stage.browser.version());
    for (const kind of MOUSE) {
      for (const [name, goals] of Object.entries(GOALS)) {
        for (const [share, most] of Object.entries(goals)) {
          const is = found[kind][name][share];
          assert.ok(is < most, `${kind}: ${name} ${share} is ${is} ms, not under ${most}`);
        }
      }
    }
  },
};
