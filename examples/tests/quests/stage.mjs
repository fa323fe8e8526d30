// What the cases of a quest need: a service, a browser, and the quest, started as its README says.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../../../tests/pages/lib/browser.mjs';
import { freePort, Service } from '../../../tests/pages/lib/service.mjs';
import { Platform } from './platform.mjs';
import { block, needed } from './readme.mjs';
import { run } from './shell.mjs';

/** Installing and building may take long; starting what is built may not. */
const INSTALL_MS = 900000;
const START_MS = 30000;
const VARIABLES = ['VOIGHT_URL', 'VOIGHT_API_KEY', 'VOIGHT_CONTEXT'];
const EXAMPLES = join(import.meta.dirname, '../..');

export class Stage {
  #started = [];
  /** The receipt that the person has claimed with. @type {string | undefined} */
  used;

  /** @param {string} name the folder of the quest */
  static async set(name) {
    const stage = new Stage();
    stage.folder = join(EXAMPLES, name);
    const readme = join(stage.folder, 'README.md');
    stage.readme = await needed(readme, 'quest');
    /** Prints a link that signs a visitor in; undefined where nobody is. */
    stage.ticket = await block(readme, 'ticket');
    stage.service = await Service.start();
    stage.browser = await openBrowser('chromium', { userDataDir: await mkdtemp(join(tmpdir(), 'profile-')) });
    return stage;
  }

  /** Follows the README, with a key and a context of a sandbox. */
  async follow() {
    this.variables = { ...(await this.#sandbox()), SIGN_IN_SECRET: 'only for these tests' };
    this.platform = await this.open(this.readme, this.variables, INSTALL_MS);
  }

  /** The variables that the README of all examples makes. */
  async #sandbox() {
    const script = (await needed(join(EXAMPLES, 'README.md'), 'account')).replace('http://localhost:8080', this.service.url);
    const printed = await run(`${script}\nenv`, EXAMPLES, { VOIGHT__STORE__DATA_DIR: this.service.dataDir });
    const lines = printed.split('\n').map((line) => line.split(/=(.*)/s));
    return Object.fromEntries(lines.filter(([name]) => VARIABLES.includes(name)));
  }

  /** The same variables with a live key. */
  async live() {
    const { key, context } = await this.service.account('live');
    return { ...this.variables, VOIGHT_API_KEY: key, VOIGHT_CONTEXT: context };
  }

  /** What starts the quest once everything is installed and built. */
  get start() {
    return this.readme.split('\n').at(-1);
  }

  /** Starts the quest. @param {string} script @param {Record<string, string | undefined>} variables @param {number} waitMs */
  async open(script, variables, waitMs = START_MS) {
    const platform = await Platform.start(script, this.folder, { ...variables, PORT: String(await freePort()) }, waitMs);
    this.#started.push(platform);
    return platform;
  }

  /** What the quest and the service said. */
  async said() {
    return `${this.platform?.said ?? ''}\n${await this.service.log()}`;
  }

  /** Ends everything. */
  async clear() {
    for (const platform of this.#started) await platform.stop();
    await this.browser.close();
    await this.service.stop();
  }
}
