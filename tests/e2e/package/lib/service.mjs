// Mock service that answers by the contract, or as a case configures it, and records the requests.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, beforeEach } from 'node:test';

export const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7';
export const CONTEXT = 'spring.01kanc5xt6f3vq0d9g8m2y7rwb';
export const KEY = `vgt_test_${'a'.repeat(38)}`;

const VERIFY = '/api/v1/receipts/verify';
const LOOKUP = '/api/v1/users/eoa';
const KEYS = '/.well-known/voight-keys.json';

/** Returns an answer in JSON. @param {number} status @param {unknown} body @param {Record<string, string>} [headers] */
export const json = (status, body, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  body: JSON.stringify(body),
});

/** Returns an error of the API. @param {number} status @param {string} code @param {Record<string, string>} [headers] */
export const error = (status, code, headers) => json(status, { success: false, error: { code, id: 'm_g_t_0', message: `${code}.` } }, headers);

/** @param {object} value */
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a key that signs receipts. @param {string} kid */
export function signer(kid = 'key-1') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig', kid };
  /** @param {object} [claims] claims that replace the defaults @param {object} [header] */
  const receipt = (claims = {}, header = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { jti: '01', context: CONTEXT, address: ADDRESS, origin: 'https://quest.example', origin_allowlisted: true, owned: false, test: true, iat: now, exp: now + 600 };
    const head = encode({ alg: 'EdDSA', kid, typ: 'voight-receipt+jwt', ...header });
    const signedText = `${head}.${encode({ ...usual, ...claims })}`;
    return `${signedText}.${sign(null, Buffer.from(signedText), createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))).toString('base64url')}`;
  };
  return { jwk, receipt };
}

/** Returns the answer to the redemption of a valid receipt. @param {object} [more] */
export const valid = (more = {}) =>
  json(200, {
    success: true,
    test: true,
    data: {
      status: 'valid',
      context_id: CONTEXT,
      eoa_address: ADDRESS,
      origin: 'https://quest.example',
      origin_allowlisted: true,
      owned: false,
      test: true,
      issued_at: '2026-11-22T03:00:00Z',
      expires_at: '2026-11-22T03:10:00Z',
      ...more,
    },
  });

/** Returns the answer to a lookup. @param {boolean} isBot @param {number} score */
export const finding = (isBot, score) => json(200, { success: true, test: true, data: { isBot, confidence: { score } } });

export class Service {
  /** Recorded requests, each with method, path, headers and body. @type {any[]} */
  asked;
  /** Answers by path. A list is used in order, and its last answer repeatedly. An answer may be a function of request and response.
   * @type {Record<string, any>} */
  answers;

  /** Creates the service for the tests of a file; each test starts with a fresh state. */
  static forEach() {
    const service = new Service();
    beforeEach(() => service.start());
    afterEach(() => service.stop());
    return service;
  }

  /** Starts the service with the default answers. */
  async start() {
    this.asked = [];
    this.answers = { [VERIFY]: valid(), [LOOKUP]: finding(false, 0.7), [KEYS]: json(200, { keys: [] }) };
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  set verify(answer) {
    this.answers[VERIFY] = answer;
  }

  set lookup(answer) {
    this.answers[LOOKUP] = answer;
  }

  set keys(keys) {
    this.answers[KEYS] = json(200, { keys });
  }

  /** Returns the requested paths in order. */
  get paths() {
    return this.asked.map((one) => one.path);
  }

  async answer(request, response) {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { pathname: path, searchParams } = new URL(request.url, 'http://service');
    this.asked.push({ method: request.method, path, query: Object.fromEntries(searchParams), headers: request.headers, body });
    const answers = [this.answers[path] ?? error(404, 'NOT_FOUND')].flat();
    const answer = answers[0];
    if (answers.length > 1) this.answers[path] = answers.slice(1);
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}
