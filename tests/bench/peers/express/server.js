// Metered lookups with Express and PostgreSQL. A lookup is answered once its row is committed.
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import express from 'express';
import { books } from './books.js';

const { PORT, DATABASE_URL, SCHEMA, PEPPER, KEY } = process.env;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const TITLE = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

/** Error of a rejected request, with its HTTP status. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const digest = (key) => createHmac('sha256', PEPPER).update(key).digest();
const { addClient, register, decide, look, record, first, count } = await books(DATABASE_URL, await readFile(SCHEMA, 'utf8'));
await addClient(digest(KEY));

/** Returns the digest of a request's API key. */
function key(request) {
  const apiKey = request.get('x-api-key');
  if (!apiKey) throw new Refusal(401, 'Send your API key in the header x-api-key.');
  return digest(apiKey);
}

/** Returns the caller, or rejects an unknown key. */
function known(caller) {
  if (!caller) throw new Refusal(401, 'This API key is not known.');
  return caller;
}

const app = express();
app.disable('x-powered-by');
// Clients send no conditional requests.
app.set('etag', false);

app.get('/api/v1/users/eoa', async (request, response) => {
  const { eoa_address: sent, context_id: context } = request.query;
  if (!ADDRESS.test(sent)) throw new Refusal(400, 'eoa_address is 0x and 40 hexadecimal digits.');
  const address = sent.toLowerCase();
  const idempotencyKey = request.get('idempotency-key');
  const caller = known(await look(key(request), context, address));
  if (!caller.context_id) throw new Refusal(404, 'This context is not yours.');
  const question = { client: caller.client_id, idempotencyKey, context, address };
  const answer = { isBot: caller.is_bot ?? false, score: caller.score ?? 0 };
  const row = (await record(question, answer)) ?? (await first(question));
  if (row.context_id !== context || row.eoa_address !== address) {
    throw new Refusal(422, 'This Idempotency-Key was used with other parameters.');
  }
  response.set('voight-meter', `seq=${row.seq}`);
  response.json({ success: true, data: { isBot: row.is_bot, confidence: { score: row.score } } });
});

app.post('/api/v1/register/context_id', express.json(), async (request, response) => {
  const { context_title: title } = request.body ?? {};
  if (!TITLE.test(title)) throw new Refusal(400, 'context_title has letters, digits, _ and -, 64 at most.');
  const context = `${title}.${randomUUID()}`;
  known(await register(key(request), context));
  response.json({ success: true, data: { context_id: context } });
});

/** Stores the verdicts of a check on these addresses. */
app.post('/api/v1/verdicts', express.json({ limit: '1mb' }), async (request, response) => {
  const { context_id: context, addresses, is_bot: isBot, score } = request.body;
  const lower = addresses.map((address) => address.toLowerCase());
  known(await decide(key(request), context, lower, isBot, score));
  response.json({ success: true });
});

/** Returns the number of billed lookups. */
app.get('/api/v1/usage', async (request, response) => {
  response.json({ success: true, data: { billable: known(await count(key(request))).rows } });
});

app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  if (!error.status) console.error(error);
  response.status(error.status ?? 500).json({ error: { message: error.status ? error.message : 'Something went wrong.' } });
});

app.listen(PORT, '127.0.0.1', (error) => {
  if (error) throw error;
});
