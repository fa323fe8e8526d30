//! Statements on snapshots.

super::statements! {
    ADD_SNAPSHOT = "INSERT INTO snapshot (client, id, record) VALUES ($1, $2, $3)";
    SNAPSHOT = "SELECT record FROM snapshot WHERE client = $1 AND id = $2";
    LOCK_SNAPSHOT = "SELECT record FROM snapshot WHERE client = $1 AND id = $2 FOR UPDATE";
    SNAPSHOTS = "SELECT record FROM snapshot WHERE client = $1 AND id > $2 ORDER BY id LIMIT $3";
    SET_SNAPSHOT = "UPDATE snapshot SET record = $3 WHERE client = $1 AND id = $2";
    DROP_SNAPSHOT = "DELETE FROM snapshot WHERE client = $1 AND id = $2";
    SLICE = "SELECT record FROM snapshot_slice WHERE client = $1 AND snapshot = $2 AND number = $3";
    LOCK_SLICE = "SELECT record FROM snapshot_slice WHERE client = $1 AND snapshot = $2 AND number = $3 FOR UPDATE";
    SET_SLICE = "
        INSERT INTO snapshot_slice (client, snapshot, number, first_address, last_address, record)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (client, snapshot, number) DO UPDATE
        SET first_address = excluded.first_address, last_address = excluded.last_address, record = excluded.record";
    DROP_SLICES = "DELETE FROM snapshot_slice WHERE client = $1 AND snapshot = $2";
}
