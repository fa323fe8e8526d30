// Follows the README of a quest, and visits it: as a person, as a bot that was flagged, and as bots that skip the window. It
// runs in a copy of the repository, which is as a clone is.
//
//   node run.mjs NAME
import { cases } from './cases.mjs';
import { Stage } from './stage.mjs';

/** Runs a case and prints a line for it. @param {string} title @param {() => Promise<unknown>} work @returns {Promise<boolean>} whether all is well */
async function passes(title, work) {
  const began = performance.now();
  const error = await work().then(() => null, (cause) => cause);
  const took = Math.round(performance.now() - began);
  console.log(`${error ? 'FAIL' : 'ok'} ${title} (${took} ms)${error ? `\n${error.stack}` : ''}`);
  return !error;
}

const [name] = process.argv.slice(2);
const stage = await Stage.set(name);
let good = false;
try {
  good = await passes('its README starts it', () => stage.follow());
  if (good) for (const [title, work] of Object.entries(cases(stage))) good = (await passes(title, work)) && good;
} finally {
  if (!good) console.log(await stage.said());
  await stage.clear();
}
process.exit(good ? 0 : 1);
