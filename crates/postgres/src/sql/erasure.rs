//! Statements on the data of an address.

super::statements! {
    COUNT_EVENTS = "SELECT count(*) FROM event WHERE client = $1 AND context = $2 AND address = $3";
    COUNT_LABELS = "SELECT count(*) FROM label WHERE client = $1 AND context = $2 AND address = $3";
    COUNT_IDEMPOTENCY_RECORDS = "SELECT count(*) FROM idempotency_record WHERE client = $1 AND parameters = $2 AND expires_at > $3";
    DELETE_IDEMPOTENCY_RECORDS = "DELETE FROM idempotency_record WHERE client = $1 AND parameters = $2";
    COUNT_OPENINGS = "SELECT count(*) FROM opening WHERE client = $1 AND address = $2";
    DROP_OPENINGS = "DELETE FROM opening WHERE client = $1 AND address = $2";
    LOCK_SLICES = "
        SELECT snapshot, number, record FROM snapshot_slice
        WHERE client = $1 AND first_address <= $2 AND last_address >= $2 ORDER BY snapshot, number FOR UPDATE";
    COUNT_RECEIPTS = "SELECT count(*) FROM concluded_check WHERE client = $1 AND address = $2";
    DROP_RECEIPTS = "UPDATE concluded_check SET address = NULL, record = $3 WHERE client = $1 AND address = $2";
}
