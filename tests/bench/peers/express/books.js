// Storage in PostgreSQL. Each statement is prepared once per connection.
import pg from 'pg';

/** More connections than cores: while one waits for the disk, others share its commit. */
const CONNECTIONS = 32;

const ADD_CLIENT = 'INSERT INTO clients (key_digest) VALUES ($1) ON CONFLICT DO NOTHING';

const REGISTER = `INSERT INTO contexts (context_id, client_id)
  SELECT $2, client_id FROM clients WHERE key_digest = $1 RETURNING context_id`;

const DECIDE = `INSERT INTO verdicts (context_id, eoa_address, is_bot, score)
  SELECT context_id, unnest($3::text[]), $4, $5 FROM contexts JOIN clients USING (client_id)
  WHERE key_digest = $1 AND context_id = $2
  ON CONFLICT (context_id, eoa_address) DO UPDATE SET is_bot = excluded.is_bot, score = excluded.score RETURNING context_id`;

const LOOK = `SELECT clients.client_id, contexts.context_id, verdicts.is_bot, verdicts.score FROM clients
  LEFT JOIN contexts ON contexts.client_id = clients.client_id AND contexts.context_id = $2
  LEFT JOIN verdicts ON verdicts.context_id = contexts.context_id AND verdicts.eoa_address = $3
  WHERE clients.key_digest = $1`;

const RECORD = `INSERT INTO usage (client_id, idempotency_key, context_id, eoa_address, is_bot, score)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id, idempotency_key) DO NOTHING
  RETURNING seq, context_id, eoa_address, is_bot, score`;

const FIRST = 'SELECT seq, context_id, eoa_address, is_bot, score FROM usage WHERE client_id = $1 AND idempotency_key = $2';

const COUNT = `SELECT count(seq)::integer AS rows FROM clients LEFT JOIN usage USING (client_id)
  WHERE key_digest = $1 GROUP BY client_id`;

/** Opens the database at this URL, creates the schema if it does not exist, and returns the queries. */
export async function books(url, schema) {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, min: CONNECTIONS });
  await pool.query(schema);
  const one = (name, text) => async (...values) => (await pool.query({ name, text, values })).rows[0];
  const insert = one('record', RECORD);
  const select = one('first', FIRST);
  return {
    /** Adds the client with this key, unless it exists. */
    addClient: one('add', ADD_CLIENT),
    /** Registers a context for the client with this key; returns nothing without such a client. */
    register: one('register', REGISTER),
    /** Stores verdicts in a context of the client with this key; returns nothing without such a context. */
    decide: one('decide', DECIDE),
    /** Returns the client with this key, its context of this name and the verdict, as far as they exist. */
    look: one('look', LOOK),
    /** Counts the rows of the client with this key; returns nothing without such a client. */
    count: one('count', COUNT),
    /** Adds the row of a lookup; returns nothing if its idempotency key has one. */
    record: ({ client, idempotencyKey, context, address }, { isBot, score }) =>
      insert(client, idempotencyKey, context, address, isBot, score),
    /** Returns the row of a lookup's idempotency key. */
    first: ({ client, idempotencyKey }) => select(client, idempotencyKey),
  };
}
