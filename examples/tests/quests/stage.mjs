// Fixture of the cases: a service, a browser, and the quest, started as its README describes.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../../../tests/e2e/pages/lib/browser.mjs';
import { freePort, Service } from '../../../tests/e2e/pages/lib/service.mjs';
import { Platform } from './platform.mjs';
import { block, needed } from './readme.mjs';
import { run } from './shell.mjs';

/** Time limits in milliseconds: long for installing and building, short for starting what is built. */
const INSTALL_MS = 900000;
const START_MS = 30000;
const VARIABLES = ['VOIGHT_URL', 'VOIGHT_API_KEY', 'VOIGHT_CONTEXT'];
/** Secret of a webhook endpoint. */
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`;
/** Quests whose back end receives webhooks. */
const WITH_WEBHOOKS = ['node-express'];
/** Quests with a library for wallets. */
const WITH_WALLETS = ['rainbowkit', 'wagmi'];
const EXAMPLES = join(import.meta.dirname, '../..');

export class Stage {
  #started = [];
  /** Receipt that the person has claimed with. @type {string | undefined} */
  used;

  /** @param {string} name directory of the quest */
  static async set(name) {
    const stage = new Stage();
    stage.folder = join(EXAMPLES, name);
    const readme = join(stage.folder, 'README.md');
    stage.readme = await needed(readme, 'quest');
    /** Command that prints a sign-in link; undefined for a quest without sign-in. */
    stage.ticket = await block(readme, 'ticket');
    /** True for a quest whose page connects a wallet instead of asking for an address. */
    stage.connectsWallets = WITH_WALLETS.includes(name);
    /** Secret of the webhooks of a quest that receives some; otherwise undefined. */
    stage.webhookSecret = WITH_WEBHOOKS.includes(name) ? WEBHOOK_SECRET : undefined;
    stage.service = await Service.start();
    stage.browser = await openBrowser('chromium', { userDataDir: await mkdtemp(join(tmpdir(), 'profile-')) });
    return stage;
  }

  /** Follows the README, with a sandbox key and a context of it. */
  async follow() {
    this.variables = { ...(await this.#sandbox()), SIGN_IN_SECRET: 'only for these tests', VOIGHT_WEBHOOK_SECRET: this.webhookSecret };
    if (this.connectsWallets) await this.requireProof('never');
    this.platform = await this.open(this.readme, this.variables, INSTALL_MS);
  }

  /** Chooses when a check asks the wallet for a signature. @param {'always' | 'never'} when */
  async requireProof(when) {
    await this.service.command('context', 'set', this.variables.VOIGHT_CONTEXT, '--ownership-proof', when);
  }

  /** Returns the variables that the README of all examples sets. */
  async #sandbox() {
    const script = (await needed(join(EXAMPLES, 'README.md'), 'account')).replace('http://localhost:8080', this.service.url);
    const output = await run(`${script}\nenv`, EXAMPLES, { VOIGHT__STORE__DATA_DIR: this.service.dataDir });
    const lines = output.split('\n').map((line) => line.split(/=(.*)/s));
    return Object.fromEntries(lines.filter(([name]) => VARIABLES.includes(name)));
  }

  /** Returns the same variables with a live key. */
  async live() {
    const { key, context } = await this.service.account('live');
    if (this.connectsWallets) await this.service.command('context', 'set', context, '--ownership-proof', 'never');
    return { ...this.variables, VOIGHT_API_KEY: key, VOIGHT_CONTEXT: context };
  }

  /** Returns the command that starts the quest after everything is installed and built. */
  get start() {
    return this.readme.split('\n').at(-1);
  }

  /** Starts the quest. @param {string} script @param {Record<string, string | undefined>} variables @param {number} waitMs */
  async open(script, variables, waitMs = START_MS) {
    const platform = await Platform.start(script, this.folder, { ...variables, PORT: String(await freePort()) }, waitMs);
    this.#started.push(platform);
    return platform;
  }

  /** Returns the output of the quest and the service. */
  async output() {
    return `${this.platform?.output ?? ''}\n${await this.service.log()}`;
  }

  /** Stops all processes. */
  async clear() {
    for (const platform of this.#started) await platform.stop();
    await this.browser.close();
    await this.service.stop();
  }
}
