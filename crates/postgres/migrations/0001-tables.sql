-- Names and ids of contexts are bytes, which have the same order in every database; the order of text depends on its collation.
-- Tables that lead from a name, a digest or an id to a client. They are small; on a cluster each server has a copy.
CREATE TABLE client_name (name bytea NOT NULL, client bytea NOT NULL, PRIMARY KEY (name));
CREATE TABLE key_digest (
    digest bytea NOT NULL, client bytea NOT NULL, api_key bytea NOT NULL, environment bigint NOT NULL,
    PRIMARY KEY (digest)
);
CREATE TABLE key_owner (api_key bytea NOT NULL, client bytea NOT NULL, PRIMARY KEY (api_key));
CREATE TABLE context_owner (context bytea NOT NULL, client bytea NOT NULL, PRIMARY KEY (context));

-- Clients, with their numbers in the store and the last numbers of their API keys and contexts.
CREATE TABLE client_total (one bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (one));
CREATE TABLE client (
    client bytea NOT NULL, number bigint NOT NULL, api_keys bigint NOT NULL, contexts bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client)
);
CREATE TABLE api_key (
    client bytea NOT NULL, api_key bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, api_key)
);
CREATE TABLE context (
    client bytea NOT NULL, context bytea NOT NULL, number bigint NOT NULL, api_key bytea NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (client, context)
);
-- `segment` is that of the embedded store from which a record was imported. A record that was written here is in the
-- segment of the hour in which it expires.
CREATE TABLE idempotency_record (
    client bytea NOT NULL, digest bytea NOT NULL, parameters bytea NOT NULL, expires_at bigint NOT NULL, segment bigint,
    record bytea NOT NULL,
    PRIMARY KEY (client, digest)
);
CREATE INDEX idempotency_record_expiry ON idempotency_record (expires_at);

-- Meters and ledgers. A meter has its row from the creation of the client on, without a record at first, so that it can be
-- locked.
CREATE TABLE meter (
    client bytea NOT NULL, environment bigint NOT NULL, record bytea,
    PRIMARY KEY (client, environment)
);
CREATE TABLE ledger (
    client bytea NOT NULL, environment bigint NOT NULL, stream bigint NOT NULL, seq bigint NOT NULL,
    at bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, environment, stream, seq)
);
CREATE TABLE opening (
    client bytea NOT NULL, environment bigint NOT NULL, stream bigint NOT NULL, seq bigint NOT NULL,
    address bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, environment, stream, seq)
);
CREATE TABLE ended_period (
    client bytea NOT NULL, environment bigint NOT NULL, stream bigint NOT NULL, last bigint NOT NULL,
    invoice bigint, record bytea NOT NULL,
    PRIMARY KEY (client, environment, stream, last)
);
CREATE TABLE alert (
    client bytea NOT NULL, environment bigint NOT NULL, stream bigint NOT NULL, seq bigint NOT NULL, kind bigint NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (client, environment, stream, seq, kind)
);
CREATE TABLE price_book (
    client bytea NOT NULL, digest bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, digest)
);
CREATE TABLE invoice (
    client bytea NOT NULL, number bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, number)
);
CREATE TABLE adjustment (
    client bytea NOT NULL, number bigint NOT NULL, invoice bigint, record bytea NOT NULL,
    PRIMARY KEY (client, number)
);
CREATE TABLE account (client bytea NOT NULL, record bytea NOT NULL, PRIMARY KEY (client));

-- Verdicts, and the records that they are derived from.
CREATE TABLE concluded_check (
    client bytea NOT NULL, check_id bytea NOT NULL, address bytea, record bytea NOT NULL,
    PRIMARY KEY (client, check_id)
);
CREATE INDEX concluded_check_id ON concluded_check (check_id);
CREATE TABLE presented_input (
    client bytea NOT NULL, context bytea NOT NULL, digest bytea NOT NULL, check_id bytea NOT NULL,
    PRIMARY KEY (client, context, digest)
);
CREATE TABLE verdict (
    client bytea NOT NULL, context bytea NOT NULL, address bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, address)
);
CREATE TABLE event (
    client bytea NOT NULL, context bytea NOT NULL, address bytea NOT NULL, number bigint NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (client, context, address, number)
);
CREATE TABLE label (
    client bytea NOT NULL, context bytea NOT NULL, address bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, address)
);
CREATE TABLE tombstone (
    client bytea NOT NULL, context bytea NOT NULL, digest bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, digest)
);
CREATE TABLE fingerprint_page (
    client bytea NOT NULL, context bytea NOT NULL, page bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, page)
);
CREATE TABLE cluster (
    client bytea NOT NULL, context bytea NOT NULL, kind bigint NOT NULL, digest bytea NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (client, context, kind, digest)
);
CREATE TABLE assigned_cluster (
    client bytea NOT NULL, context bytea NOT NULL, member bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, member)
);

-- Raw evidence belongs to its check alone: it is distributed by check, and deleted without a client.
CREATE TABLE evidence_check (
    check_id bytea NOT NULL, opened_at bigint NOT NULL, keep_until bigint NOT NULL, bytes bigint NOT NULL,
    judged boolean NOT NULL, share bytea NOT NULL,
    PRIMARY KEY (check_id)
);
CREATE INDEX evidence_expiry ON evidence_check (keep_until);
CREATE INDEX evidence_unjudged ON evidence_check (opened_at) WHERE NOT judged;
CREATE TABLE evidence_batch (
    check_id bytea NOT NULL, number bigint NOT NULL, address bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (check_id, number)
);
-- The number of bytes is NULL until there is evidence.
CREATE TABLE evidence_total (one bigint NOT NULL, bytes bigint, PRIMARY KEY (one));

-- Records of the store as a whole. A table with the key `one` has one row.
CREATE TABLE store_identity (
    one bigint NOT NULL, id bytea NOT NULL, created_at bigint NOT NULL, pepper bytea NOT NULL,
    PRIMARY KEY (one)
);
CREATE TABLE audit (seq bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (seq));
CREATE TABLE audit_head (one bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (one));
CREATE TABLE signing_key (one bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (one));
-- Named admin tokens. No secret is stored; the name is in the record.
CREATE TABLE snapshot (client bytea NOT NULL, id bytea NOT NULL, record bytea NOT NULL, PRIMARY KEY (client, id));
CREATE TABLE snapshot_slice (
    client bytea NOT NULL, snapshot bytea NOT NULL, number bigint NOT NULL, first_address bytea NOT NULL,
    last_address bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, snapshot, number)
);
CREATE TABLE admin_token (id bytea NOT NULL, record bytea NOT NULL, PRIMARY KEY (id));

-- Transactions of the last hours, each by an id that only its writer has. A writer that lost the connection during the
-- commit looks up the id here, and inserts it as rolled back if it is missing.
CREATE TABLE commit_marker (
    client bytea NOT NULL, marker bytea NOT NULL, at bigint NOT NULL, rolled_back boolean NOT NULL,
    PRIMARY KEY (client, marker)
);
CREATE INDEX commit_marker_age ON commit_marker (at);
-- The node that runs the background jobs, and the end of its lease by the clock of the database.
CREATE TABLE leader_lease (
    one bigint NOT NULL, node bytea NOT NULL, term bigint NOT NULL, expires_at timestamp with time zone NOT NULL,
    PRIMARY KEY (one)
);
