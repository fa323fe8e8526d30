// Service under test: the real binary on its own data directory.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BINARY = process.env.VOIGHT_BIN;
const READY_MS = 20000;

/** Returns the environment of the tests without the variables of the service. */
export const environment = () => {
  const keptVariables = Object.entries(process.env).filter(([name]) => !name.startsWith('VOIGHT'));
  return { ...Object.fromEntries(keptVariables), NO_COLOR: '1' };
};

/** Returns a loopback port that was free just now, below those of outgoing connections. */
export async function freePort() {
  for (;;) {
    const port = 15000 + Math.floor(Math.random() * 16000);
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

export class Service {
  #folder;
  #process;
  #arguments;

  /** Starts a service. @param {string[]} [more] arguments of `serve` */
  static async start(more = []) {
    const service = new Service();
    service.#folder = await mkdtemp(join(tmpdir(), 'voight-pages-'));
    service.#arguments = more;
    service.port = await freePort();
    service.adminPort = await freePort();
    await service.resume();
    return service;
  }

  /** Restarts the service on the same data and ports. */
  async resume() {
    const log = await open(this.logFile, 'a');
    const listen = ['--listen', `127.0.0.1:${this.port}`, '--admin-listen', `127.0.0.1:${this.adminPort}`];
    this.#process = spawn(BINARY, ['--data-dir', this.dataDir, 'serve', ...listen, ...this.#arguments], {
      env: environment(),
      stdio: ['ignore', 'ignore', log.fd],
    });
    await log.close();
    await this.#ready();
  }

  async #ready() {
    const end = Date.now() + READY_MS;
    while (Date.now() < end) {
      const answer = await fetch(`http://127.0.0.1:${this.adminPort}/readyz`).catch(() => null);
      if (answer?.status === 200) return;
      if (this.#process.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the service is not ready:\n${await this.log()}`);
  }

  /** Stops the service and keeps its data. */
  async pause() {
    if (this.#process.exitCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill();
    await exit;
  }

  /** Stops the service and removes its data. */
  async stop() {
    await this.pause();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get dataDir() {
    return join(this.#folder, 'data');
  }

  get logFile() {
    return join(this.#folder, 'log');
  }

  log() {
    return readFile(this.logFile, 'utf8');
  }

  /** Base URL, under a host name that makes it another site than the pages. */
  get url() {
    return `http://localhost:${this.port}`;
  }

  /** Runs the command line and returns its output. @param {...string} words */
  async command(...words) {
    const run = promisify(execFile);
    const { stdout } = await run(BINARY, ['--data-dir', this.dataDir, '--json', ...words], { env: environment() });
    return stdout.trim() ? JSON.parse(stdout) : null;
  }

  /** Creates a client with a key and a context. @param {string} [name] @param {string[]} [ofKey] arguments of `key create` */
  async account(name = 'acme', ofKey = []) {
    await this.command('client', 'create', name);
    const { key } = await this.command('key', 'create', '--client', name, ...ofKey);
    return { client: name, key, context: await this.register(key, 'spring') };
  }

  /** Registers a context. @param {string} key @param {string} title */
  async register(key, title) {
    const { context_id: context } = await this.api(key, 'POST', '/api/v1/register/context_id', { context_title: title });
    return context;
  }

  /** Calls the public API, and returns the data of the envelope. */
  async api(key, method, path, body) {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const envelope = await answer.json();
    if (!envelope.success) throw Object.assign(new Error(envelope.error.message), envelope.error, { status: answer.status });
    return envelope.data;
  }

  /** Returns the platform's lookup of an address. */
  verdict({ key, context }, address) {
    return this.api(key, 'GET', `/api/v1/users/eoa?eoa_address=${address}&context_id=${context}`);
  }
}
