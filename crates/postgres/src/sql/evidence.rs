//! Statements on raw evidence.

super::statements! {
    FIRST_TOTAL = "INSERT INTO evidence_total (one, bytes) VALUES (1, NULL) ON CONFLICT (one) DO NOTHING";
    /// Row that serialises all changes to evidence, so that the budget is exact.
    LOCK_TOTAL = "SELECT coalesce(bytes, 0) FROM evidence_total WHERE one = 1 FOR UPDATE";
    SET_TOTAL = "UPDATE evidence_total SET bytes = $1 WHERE one = 1";
    ADD_CHECK = "
        INSERT INTO evidence_check (check_id, opened_at, keep_until, bytes, judged, share)
        VALUES ($1, $2, $3, 0, false, $4)
        ON CONFLICT (check_id) DO NOTHING";
    ADD_BATCH = "INSERT INTO evidence_batch (check_id, number, address, record) VALUES ($1, $2, $3, $4)";
    ADD_BYTES = "UPDATE evidence_check SET bytes = bytes + $2 WHERE check_id = $1";
    BATCHES = "SELECT record FROM evidence_batch WHERE check_id = $1 ORDER BY number";
    UNSETTLED = "
        SELECT check_id FROM evidence_check WHERE NOT judged AND opened_at < $1 ORDER BY opened_at, check_id LIMIT $2";
    SETTLE = "UPDATE evidence_check SET judged = true WHERE check_id = $1";
    SHARES = "SELECT check_id, share, bytes FROM evidence_check";
    DUE = "SELECT check_id FROM evidence_check WHERE keep_until < $1 ORDER BY keep_until, check_id LIMIT $2";
    OLDER = "SELECT check_id FROM evidence_check WHERE opened_at < $1 ORDER BY check_id LIMIT $2";
    OF_ADDRESS = "SELECT DISTINCT check_id FROM evidence_batch WHERE address = $1 ORDER BY check_id";
    COUNT_BATCHES = "SELECT count(*) FROM evidence_batch WHERE check_id = $1";
    DROP_BATCHES = "DELETE FROM evidence_batch WHERE check_id = $1";
    DROP_CHECK = "DELETE FROM evidence_check WHERE check_id = $1 RETURNING bytes";
}
