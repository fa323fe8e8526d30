// Platform's site on its own origin: files in memory, with their headers.
import { createServer } from 'node:http';

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/** Policy of a strict page: only its own scripts and the service's. @param {string} service */
export const strictPolicy = (service) =>
  `default-src 'none'; script-src 'self' ${service}; frame-src ${service}; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'`;

/** The same server under another name, which makes it another origin. @param {string} origin */
export const otherName = (origin) => origin.replace('127.0.0.1', 'localhost');

export class Site {
  /** @type {Map<string, {body: string, headers: Record<string, string>}>} */
  #files = new Map();
  #server;

  static async open() {
    const site = new Site();
    site.#server = createServer((request, response) => site.#answer(request, response));
    await new Promise((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  #answer(request, response) {
    const file = this.#files.get(new URL(request.url, 'http://site').pathname);
    if (!file) return response.writeHead(404).end();
    response.writeHead(200, { 'cache-control': 'no-store', ...file.headers }).end(file.body);
  }

  /** Own origin of the site; other names for it are other origins. */
  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Creates or replaces a file. @param {string} path @param {string} body @param {Record<string, string>} [headers] */
  put(path, body, headers = {}) {
    const type = TYPES[path.split('.').at(-1)] ?? TYPES.html;
    this.#files.set(path, { body, headers: { 'content-type': type, ...headers } });
    return this.origin + path;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
