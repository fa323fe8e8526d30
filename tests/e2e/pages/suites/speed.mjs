// Waiting time of a visitor: from the click until the first target can be pressed, and from there until the check is complete.
//
// The short runs in CI only print. A full run makes thirty of each kind and compares them with the goals; with VOIGHT_UPDATE set it makes a
// hundred and writes docs/results/performance/speed.BROWSER.json.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { element, page, eventsOf, untilState, windowAt } from '../lib/quest.mjs';
import { isUpdate } from '../lib/update.mjs';

const [FEW, MANY] = [5, isUpdate() ? 100 : 30];
/** Duration of one press by a person, in ms: a faster driver waits for the rest, and extra time of the driver is not counted. */
const PRESS_MS = 400;
/** Time that a mouse is above a button before it clicks, in ms: 95 % of 10,306 recorded clicks of 80 people took longer from the edge of a
 * button of 120 by 44 px to the release; the median was 311 ms. */
const ABOVE_MS = 165;
/** Age of the page before that: a visitor does not click while a page is loading, and a browser cleans up after it. */
const READ_MS = 500;
/** Goals, in ms. */
const GOALS = { usable: { p95: 300 }, complete: { p50: 2500, p95: 6000 } };
/** Measurements that are compared with the goals, which are for a mouse. The third is a browser with an empty cache whose first event is a
 * click. */
const MOUSE = ['hovered', 'warm'];

// One network makes all these checks, which would increase the difficulty of its puzzles.
const CONFIG = join(tmpdir(), 'voight-speed.toml');
writeFileSync(CONFIG, '[limits]\nchecks_per_minute = 100000\nmax_checks_per_minute = 200000\n');
export const serve = ['--config', CONFIG];
export const caseMs = 900000;

/** Script that records the page's own timestamps of its events. */
const CLOCK = `
  window.moments = [];
  const note = (name) => moments.push({ name, at: performance.now() });
  document.addEventListener('click', (event) => event.isTrusted && event.target.id === 'claim' && note('click'), { capture: true, once: true });
  // The first frame after the message to the page is the first that can show it.
  addEventListener('voight-statechange', (event) => requestAnimationFrame(() => note(event.detail)));
`;

/** Runs one check of a new address, with the mouse above the button for the given time before. @returns {Promise<{usable: number, complete: number}>} in ms */
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
  return spans(await tab.evaluate(() => window.moments), await eventsOf(tab, 'error'));
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

/** Runs checks with a browser with an empty cache (cold), the same with a mouse that hovers over the button before (hovered), or with a
 * browser that has completed such a check before (warm). */
async function measure(stage, kind, count) {
  const runs = [];
  const above = kind === 'hovered' ? ABOVE_MS : 0;
  if (kind === 'warm') await run(stage, stage.tab, above);
  while (runs.length < count) {
    const context = kind === 'warm' ? null : await stage.browser.createBrowserContext();
    runs.push(await run(stage, context ? await context.newPage() : stage.tab, above));
    await context?.close();
  }
  const figures = summary(runs);
  console.log(`${stage.browserName} ${kind}: ${JSON.stringify(figures)}`);
  return figures;
}

/** Runs every kind. */
async function every(stage, count) {
  const figures = {};
  for (const kind of ['cold', ...MOUSE]) figures[kind] = await measure(stage, kind, count);
  return figures;
}

function keep(stage, found, version) {
  const folder = join(process.env.VOIGHT_REPOSITORY ?? '.', 'docs/results/performance');
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const sources = JSON.parse(process.env.VOIGHT_SOURCES ?? '{}');
  const result = { date, browser: version, processors: cpus().length, sources, ...found };
  writeFileSync(join(folder, `speed.${stage.browserName}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

export const cases = {
  async 'the times of a few checks are printed'(stage) {
    await every(stage, FEW);
  },
};

export const full = {
  async 'the times of many checks meet the goals'(stage) {
    const figures = await every(stage, MANY);
    if (isUpdate()) keep(stage, figures, await stage.browser.version());
    for (const kind of MOUSE) {
      for (const [name, goals] of Object.entries(GOALS)) {
        for (const [share, most] of Object.entries(goals)) {
          const is = figures[kind][name][share];
          assert.ok(is < most, `${kind}: ${name} ${share} is ${is} ms, not under ${most}`);
        }
      }
    }
  },
};
