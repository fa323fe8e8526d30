// Follows the README of an example, and visits its quest: as a person, as a bot that was flagged, and as bots that skip the
// window. It runs in a copy of the repository, which is as a clone is.
//
//   node run.mjs NAME
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../../../tests/pages/lib/browser.mjs';
import { freePort, Service } from '../../../tests/pages/lib/service.mjs';
import { cases } from './cases.mjs';
import { Platform } from './platform.mjs';
import { block, needed } from './readme.mjs';
import { run } from './shell.mjs';

/** Installing and building may take long; starting what is built may not. */
const INSTALL_MS = 900000;
const START_MS = 30000;
const VARIABLES = ['VOIGHT_URL', 'VOIGHT_API_KEY', 'VOIGHT_CONTEXT'];
const EXAMPLES = join(import.meta.dirname, '../..');

/** What the README of all examples makes: a sandbox key and a context of its own. @param {Service} service */
async function sandbox(service) {
  const script = (await needed(join(EXAMPLES, 'README.md'), 'account')).replace('http://localhost:8080', service.url);
  const printed = await run(`${script}\nenv`, EXAMPLES, { VOIGHT__STORE__DATA_DIR: service.dataDir });
  const lines = printed.split('\n').map((line) => line.split(/=(.*)/s));
  return Object.fromEntries(lines.filter(([name]) => VARIABLES.includes(name)));
}

/** What the same variables are for a live key. @param {Service} service */
async function live(service) {
  const { key, context } = await service.account('live');
  return { VOIGHT_URL: service.url, VOIGHT_API_KEY: key, VOIGHT_CONTEXT: context };
}

const [name] = process.argv.slice(2);
const folder = join(EXAMPLES, name);
const readme = join(folder, 'README.md');
const whole = await needed(readme, 'quest');
const ticket = await block(readme, 'ticket');
const service = await Service.start();
const browser = await openBrowser('chromium', { userDataDir: await mkdtemp(join(tmpdir(), 'profile-')) });
let failures = 0;

/** Reports a case. @param {string} title @param {() => Promise<unknown>} work */
async function report(title, work) {
  const began = performance.now();
  const error = await work().then(() => null, (cause) => cause);
  if (error) failures += 1;
  console.log(`${error ? 'FAIL' : 'ok'} ${title} (${Math.round(performance.now() - began)} ms)${error ? `\n${error.stack}` : ''}`);
}

const stage = { service, browser, folder, ticket, started: [] };

/** Starts the example once more. @param {string} script @param {Record<string, string | undefined>} variables @param {number} waitMs */
stage.open = async (script, variables, waitMs = START_MS) => {
  const platform = await Platform.start(script, folder, { ...variables, PORT: String(await freePort()) }, waitMs);
  stage.started.push(platform);
  return platform;
};

try {
  await report('its README starts it', async () => {
    stage.variables = { ...(await sandbox(service)), SIGN_IN_SECRET: 'only for these tests' };
    stage.platform = await stage.open(whole, stage.variables, INSTALL_MS);
    // What starts it once everything is installed and built.
    stage.start = whole.split('\n').at(-1);
    stage.live = await live(service);
  });
  if (stage.live) for (const [title, work] of Object.entries(cases(stage))) await report(title, work);
} finally {
  for (const platform of stage.started) await platform.stop();
  await browser.close();
  if (failures) console.log(stage.platform?.said, await service.log());
  await service.stop();
}
process.exit(failures ? 1 : 0);
