//! Statements on checks, verdicts and timelines.

super::statements! {
    CONCLUDED = "SELECT record FROM concluded_check WHERE check_id = $1";
    /// Conclusion without a receipt, which an import from another engine stores without its client.
    CONCLUDED_OF_CLIENT = "SELECT record FROM concluded_check WHERE client IN ($1, $3) AND check_id = $2";
    ADD_CONCLUDED = "INSERT INTO concluded_check (client, check_id, address, record) VALUES ($1, $2, $3, $4)";
    OLD_CONCLUDED = "SELECT client, check_id FROM concluded_check WHERE check_id < $1 ORDER BY check_id LIMIT $2";
    DROP_CONCLUDED = "DELETE FROM concluded_check WHERE client = $1 AND check_id = $2";
    OTHERS_INPUT = "
        SELECT digest FROM presented_input
        WHERE client = $1 AND context = $2 AND digest = ANY($3) AND check_id <> $4 LIMIT 1";
    ADD_INPUT = "
        INSERT INTO presented_input (client, context, digest, check_id) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, context, digest) DO NOTHING";
    VERDICT = "SELECT record FROM verdict WHERE client = $1 AND context = $2 AND address = $3";
    LOCK_VERDICT = "SELECT record FROM verdict WHERE client = $1 AND context = $2 AND address = $3 FOR UPDATE";
    SET_VERDICT = "
        INSERT INTO verdict (client, context, address, record) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, context, address) DO UPDATE SET record = excluded.record";
    LAST_EVENT = "
        SELECT number FROM event WHERE client = $1 AND context = $2 AND address = $3 ORDER BY number DESC LIMIT 1";
    ADD_EVENT = "INSERT INTO event (client, context, address, number, record) VALUES ($1, $2, $3, $4, $5)";
    TIMELINE = "
        SELECT record FROM event WHERE client = $1 AND context = $2 AND address = $3 ORDER BY number DESC LIMIT $4";
    TOMBSTONE = "SELECT record FROM tombstone WHERE client = $1 AND context = $2 AND digest = $3";
    SET_TOMBSTONE = "
        INSERT INTO tombstone (client, context, digest, record) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, context, digest) DO UPDATE SET record = excluded.record";
    DROP_TOMBSTONE = "DELETE FROM tombstone WHERE client = $1 AND context = $2 AND digest = $3";
    DROP_TOMBSTONES = "DELETE FROM tombstone WHERE client = $1 AND context = $2";
}
