// Proxy in front of the service. It forwards requests, and changes those that a test selects.
import { createServer, request as ask } from 'node:http';

/**
 * Fate of a request: `hang` keeps it waiting, `drop` closes the connection. An object answers in place of the service, or gives the
 * headers to remove from the request (`stripped`) and from the response (`withheld`), the `host` for the service, and a function
 * that changes the text of the response (`rewritten`, with further `headers`). Any other request is forwarded.
 *
 * @typedef {undefined | 'hang' | 'drop' | {status?: number, headers?: Record<string, string>, body?: string, stripped?: RegExp, withheld?: RegExp, host?: string, rewritten?: (text: string) => string | Buffer}} Fate
 */

/** @param {Record<string, any>} headers @param {RegExp} [pattern] */
const without = (headers, pattern) => Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern?.test(name)));

/** Runs with a proxy in front of the service. @param {any} stage @param {(proxy: Proxy, stage: any) => Promise<void>} act */
export async function proxied(stage, act) {
  const proxy = await Proxy.open(stage.service);
  try {
    await act(proxy, { ...stage, service: { url: proxy.url } });
  } finally {
    await proxy.close();
  }
}

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
    const headers = without(request.headers, fate?.stripped);
    if (fate?.host) headers.host = fate.host;
    if (fate?.rewritten) delete headers['accept-encoding'];
    const onward = { host: '127.0.0.1', port: this.#service.port, method: request.method, path: request.url, headers };
    const forwardedRequest = ask(onward, (answer) => this.#pass(answer, response, fate ?? {}));
    forwardedRequest.on('error', () => request.socket.destroy());
    request.pipe(forwardedRequest);
  }

  async #pass(answer, response, { rewritten, withheld, headers: further }) {
    const headers = { ...without(answer.headers, withheld), ...further };
    if (!rewritten) return answer.pipe(response.writeHead(answer.statusCode, headers));
    delete headers['content-length'];
    const text = Buffer.concat(await answer.toArray()).toString();
    response.writeHead(answer.statusCode, headers).end(rewritten(text));
  }
}
