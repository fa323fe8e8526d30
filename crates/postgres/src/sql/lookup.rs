//! Statements of the hot path. Each concerns one client.

super::statements! {
    ROUTE = "SELECT client, api_key, environment FROM key_digest WHERE digest = $1";
    LOCK_METER = "SELECT record FROM meter WHERE client = $1 AND environment = $2 FOR UPDATE";
    IDEMPOTENCY_RECORD = "SELECT record FROM idempotency_record WHERE client = $1 AND digest = $2";
    /// Facts of a batch of lookups except for the meter. A row has a kind, up to two names, and the record.
    ///
    /// A single statement, so that a verdict and the tombstone of its erasure are read from one snapshot. Each record
    /// is looked up by its full key: for a list, the server reads all rows of the client as long as it has no
    /// statistics of the table.
    FACTS = "
        SELECT kind, context, name, record FROM (
            SELECT CAST(1 AS bigint) AS kind, CAST('' AS bytea) AS context, client AS name, record
            FROM client WHERE client = $1
            UNION ALL
            SELECT 2, '', wanted.api_key, (SELECT k.record FROM api_key k
                WHERE k.client = $1 AND k.api_key = wanted.api_key)
            FROM unnest($2::bytea[]) AS wanted (api_key)
            UNION ALL
            SELECT 3, wanted.context, CAST('' AS bytea), (SELECT c.record FROM context c
                WHERE c.client = $1 AND c.context = wanted.context)
            FROM unnest($3::bytea[]) AS wanted (context)
            UNION ALL
            SELECT 4, wanted.context, wanted.address, (SELECT v.record FROM verdict v
                WHERE v.client = $1 AND v.context = wanted.context AND v.address = wanted.address)
            FROM unnest($4::bytea[], $5::bytea[]) AS wanted (context, address)
            UNION ALL
            SELECT 5, wanted.context, wanted.digest, (SELECT t.record FROM tombstone t
                WHERE t.client = $1 AND t.context = wanted.context AND t.digest = wanted.digest)
            FROM unnest($4::bytea[], $6::bytea[]) AS wanted (context, digest)
            UNION ALL
            SELECT 6, '', wanted.digest, (SELECT c.record FROM idempotency_record c WHERE c.client = $1 AND c.digest = wanted.digest)
            FROM unnest($7::bytea[]) AS wanted (digest)
        ) AS fact WHERE record IS NOT NULL";
    ADD_ROW = "INSERT INTO ledger (client, environment, stream, seq, at, record) VALUES ($1, $2, 0, $3, $4, $5)";
    ADD_OPENING = "INSERT INTO opening (client, environment, stream, seq, address, record) VALUES ($1, $2, 0, $3, $4, $5)";
    ADD_IDEMPOTENCY_RECORD = "INSERT INTO idempotency_record (client, digest, parameters, expires_at, record) VALUES ($1, $2, $3, $4, $5)";
    /// Rows of the ledger from a list.
    ///
    /// Citus pulls `INSERT … SELECT` from a list alone to the coordinator and copies the rows back in a two-phase
    /// commit. A join with the row of the meter makes it one task of one worker.
    ADD_ROWS = "
        INSERT INTO ledger (client, environment, stream, seq, at, record)
        SELECT m.client, m.environment, 0, added.seq, added.at, added.record
        FROM meter m, unnest($3::bigint[], $4::bigint[], $5::bytea[]) AS added (seq, at, record)
        WHERE m.client = $1 AND m.environment = $2";
    ADD_OPENINGS = "
        INSERT INTO opening (client, environment, stream, seq, address, record)
        SELECT m.client, m.environment, 0, added.seq, added.address, added.record
        FROM meter m, unnest($3::bigint[], $4::bytea[], $5::bytea[]) AS added (seq, address, record)
        WHERE m.client = $1 AND m.environment = $2";
    /// Inserts idempotency records that were not found. A unique violation means that the client's other environment
    /// inserted one meanwhile; the transaction is then retried.
    ADD_IDEMPOTENCY_RECORDS = "
        INSERT INTO idempotency_record (client, digest, parameters, expires_at, record)
        SELECT c.client, added.digest, added.parameters, added.expires_at, added.record
        FROM client c, unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[]) AS added (digest, parameters, expires_at, record)
        WHERE c.client = $1";
    /// Replaces expired idempotency records.
    RENEW_IDEMPOTENCY_RECORDS = "
        INSERT INTO idempotency_record (client, digest, parameters, expires_at, record)
        SELECT c.client, added.digest, added.parameters, added.expires_at, added.record
        FROM client c, unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[]) AS added (digest, parameters, expires_at, record)
        WHERE c.client = $1
        ON CONFLICT (client, digest) DO UPDATE SET
            parameters = excluded.parameters, expires_at = excluded.expires_at, record = excluded.record, segment = NULL";
    /// Marks verdicts as looked up. Fails for a verdict that has changed since it was read, by a substring of negative length.
    ///
    /// A failed statement also fails the commit that is sent with it, so the marks need no round trip of their own. Unlike
    /// a violated constraint, this error writes no address into the log of the database.
    MARK_LOOKED_UP = "
        UPDATE verdict v SET record = CASE
            WHEN v.record = marked.old_record THEN marked.record ELSE substring(marked.record FROM 1 FOR -1) END
        FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[]) AS marked (context, address, old_record, record)
        WHERE v.client = $1 AND v.context = marked.context AND v.address = marked.address";
    SET_METER = "UPDATE meter SET record = $3 WHERE client = $1 AND environment = $2";
    SET_ENDED = "
        INSERT INTO ended_period (client, environment, stream, last, invoice, record) VALUES ($1, $2, 0, $3, $4, $5)
        ON CONFLICT (client, environment, stream, last) DO UPDATE SET invoice = excluded.invoice, record = excluded.record";
    ADD_ALERT = "INSERT INTO alert (client, environment, stream, seq, kind, record) VALUES ($1, $2, 0, $3, $4, $5)";
    KEEP_BOOK = "INSERT INTO price_book (client, digest, record) VALUES ($1, $2, $3) ON CONFLICT (client, digest) DO NOTHING";
}
