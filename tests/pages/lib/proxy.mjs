// A proxy in front of the service. It passes everything on, and does to a request what a test asks for.
import { createServer, request as ask } from 'node:http';

/**
 * What becomes of a request: `hang` keeps it waiting, `drop` ends the connection, an object answers in the service's place or
 * says what is `stripped` from the request and how the answer's text is `rewritten`. Anything else passes.
 *
 * @typedef {undefined | 'hang' | 'drop' | {status?: number, headers?: Record<string, string>, body?: string, stripped?: RegExp, rewritten?: (text: string) => string}} Fate
 */

export class Proxy {
  #service;
  #server;
  /** @type {(request: import('node:http').IncomingMessage) => Fate} */
  rule = () => undefined;

  /** @param {import('./service.mjs').Service} service */
  static async open(service) {
    const proxy = new Proxy();
    proxy.#service = service;
    proxy.#server = createServer((request, response) => proxy.#answer(request, response));
    await new Promise((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url() {
    return `http://localhost:${this.#server.address().port}`;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request, response) {
    const fate = this.rule(request);
    if (fate === 'hang') return;
    if (fate === 'drop') return request.socket.destroy();
    if (fate?.status) return response.writeHead(fate.status, fate.headers).end(fate.body);
    const kept = Object.entries(request.headers).filter(([name]) => !fate?.stripped?.test(name));
    const headers = Object.fromEntries(kept);
    if (fate?.rewritten) delete headers['accept-encoding'];
    const onward = { host: '127.0.0.1', port: this.#service.port, method: request.method, path: request.url, headers };
    const passed = ask(onward, (answer) => this.#pass(answer, response, fate?.rewritten));
    passed.on('error', () => request.socket.destroy());
    request.pipe(passed);
  }

  async #pass(answer, response, rewritten) {
    const { 'content-length': length, ...headers } = answer.headers;
    if (!rewritten) return answer.pipe(response.writeHead(answer.statusCode, answer.headers));
    const text = Buffer.concat(await answer.toArray()).toString();
    response.writeHead(answer.statusCode, headers).end(rewritten(text));
  }
}
