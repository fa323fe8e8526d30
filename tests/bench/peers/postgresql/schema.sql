-- Schema of the peers on PostgreSQL, created by the first one that starts.
CREATE TABLE IF NOT EXISTS clients (
  client_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key_digest bytea NOT NULL UNIQUE
);

CREATE TABLE IF NOT EXISTS contexts (
  context_id text PRIMARY KEY,
  client_id bigint NOT NULL REFERENCES clients
);

CREATE TABLE IF NOT EXISTS verdicts (
  context_id text NOT NULL REFERENCES contexts,
  eoa_address text NOT NULL,
  is_bot boolean NOT NULL,
  score double precision NOT NULL,
  PRIMARY KEY (context_id, eoa_address)
);

-- One row per answered lookup. No foreign keys: checking them would lock the client's row in every lookup.
CREATE TABLE IF NOT EXISTS usage (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id bigint NOT NULL,
  idempotency_key text,
  context_id text NOT NULL,
  eoa_address text NOT NULL,
  is_bot boolean NOT NULL,
  score double precision NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (client_id, idempotency_key)
);
