-- Names and ids of contexts are bytes, whose order is the same in every database; that of text is its collation's.
-- What leads from a name to a client. Small; on a cluster, a copy on each machine.
CREATE TABLE client_name (name bytea NOT NULL, client bytea NOT NULL, PRIMARY KEY (name));
CREATE TABLE key_digest (
    digest bytea NOT NULL, client bytea NOT NULL, access_key bytea NOT NULL, environment bigint NOT NULL,
    PRIMARY KEY (digest)
);
CREATE TABLE key_owner (access_key bytea NOT NULL, client bytea NOT NULL, PRIMARY KEY (access_key));
CREATE TABLE context_owner (context bytea NOT NULL, client bytea NOT NULL, PRIMARY KEY (context));

-- Clients, with their numbers in the store and the last ones that they have given to their keys and contexts.
CREATE TABLE client_total (one bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (one));
CREATE TABLE client (
    client bytea NOT NULL, number bigint NOT NULL, access_keys bigint NOT NULL, contexts bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client)
);
CREATE TABLE access_key (
    client bytea NOT NULL, access_key bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, access_key)
);
CREATE TABLE context (
    client bytea NOT NULL, context bytea NOT NULL, number bigint NOT NULL, access_key bytea NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (client, context)
);
CREATE TABLE claim (
    client bytea NOT NULL, digest bytea NOT NULL, parameters bytea NOT NULL, ends_at bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, digest)
);
CREATE INDEX claim_age ON claim (ends_at);
-- Of a store that came from another engine: ends of claims that were made anew, or erased, before they ended.
CREATE TABLE claim_end (
    client bytea NOT NULL, digest bytea NOT NULL, ends_at bigint NOT NULL,
    PRIMARY KEY (client, digest, ends_at)
);

-- Meters and ledgers. A meter has its row from the client's creation on, empty at first, so that it can be locked.
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

-- Verdicts, and what they come from.
CREATE TABLE concluded (
    client bytea NOT NULL, check_id bytea NOT NULL, address bytea, record bytea NOT NULL,
    PRIMARY KEY (client, check_id)
);
CREATE INDEX concluded_check ON concluded (check_id);
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
CREATE TABLE trace_page (
    client bytea NOT NULL, context bytea NOT NULL, page bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, page)
);
CREATE TABLE cluster (
    client bytea NOT NULL, context bytea NOT NULL, kind bigint NOT NULL, digest bytea NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (client, context, kind, digest)
);
CREATE TABLE assigned (
    client bytea NOT NULL, context bytea NOT NULL, member bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, context, member)
);

-- Raw evidence belongs to its check alone: it is spread by checks, and removed without a client being asked for.
CREATE TABLE evidence_check (
    check_id bytea NOT NULL, opened_at bigint NOT NULL, keep_until bigint NOT NULL, bytes bigint NOT NULL,
    settled boolean NOT NULL,
    PRIMARY KEY (check_id)
);
CREATE INDEX evidence_end ON evidence_check (keep_until);
CREATE INDEX evidence_unsettled ON evidence_check (opened_at) WHERE NOT settled;
CREATE TABLE evidence_batch (
    check_id bytea NOT NULL, number bigint NOT NULL, address bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (check_id, number)
);
-- Nothing until there is evidence.
CREATE TABLE evidence_total (one bigint NOT NULL, bytes bigint, PRIMARY KEY (one));

-- What belongs to the whole store.
CREATE TABLE store_identity (
    one bigint NOT NULL, id bytea NOT NULL, created_at bigint NOT NULL, pepper bytea NOT NULL,
    PRIMARY KEY (one)
);
CREATE TABLE audit (seq bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (seq));
CREATE TABLE audit_head (one bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (one));
CREATE TABLE signing_key (one bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (one));

-- The transactions of the last hours, each by an id that only its writer has: who lost the connection in a commit
-- looks here, and adds the id of one that is undone.
CREATE TABLE transaction_mark (
    client bytea NOT NULL, mark bytea NOT NULL, at bigint NOT NULL, undone boolean NOT NULL,
    PRIMARY KEY (client, mark)
);
CREATE INDEX transaction_mark_age ON transaction_mark (at);
