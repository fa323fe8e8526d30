//! Statements on webhook endpoints and their delivery logs.

super::statements! {
    ADD_ENDPOINT = "INSERT INTO webhook_endpoint (client, id, lane, due_at, record) VALUES ($1, $2, $3, $4, $5)";
    ENDPOINT = "SELECT record FROM webhook_endpoint WHERE client = $1 AND id = $2";
    LOCK_ENDPOINT = "SELECT record FROM webhook_endpoint WHERE client = $1 AND id = $2 FOR UPDATE";
    ENDPOINTS = "SELECT record FROM webhook_endpoint WHERE client = $1 ORDER BY id";
    LOCK_ENDPOINTS = "SELECT record FROM webhook_endpoint WHERE client = $1 ORDER BY id FOR UPDATE";
    SET_ENDPOINT = "UPDATE webhook_endpoint SET lane = $3, due_at = $4, record = $5 WHERE client = $1 AND id = $2";
    DROP_ENDPOINT = "DELETE FROM webhook_endpoint WHERE client = $1 AND id = $2";
    /// Due endpoints of a lane. Two statements, because each reads one range of the index.
    DUE_UNTIL = "
        SELECT e.client, e.id FROM webhook_endpoint e
        WHERE e.lane = $1 AND e.due_at <= $2 ORDER BY e.due_at, e.client, e.id LIMIT $3";
    DUE_AFTER = "
        SELECT e.client, e.id FROM webhook_endpoint e
        WHERE e.lane = $1 AND e.due_at > $2 ORDER BY e.due_at, e.client, e.id LIMIT $3";
    ADD_DELIVERY = "INSERT INTO webhook_delivery (client, endpoint, number, at, record) VALUES ($1, $2, $3, $4, $5)";
    DELIVERIES = "
        SELECT number, record FROM webhook_delivery
        WHERE client = $1 AND endpoint = $2 AND number < $3 ORDER BY number DESC LIMIT $4";
    /// Endpoints whose first record is old.
    EXPIRED_DELIVERIES = "
        SELECT d.client, d.endpoint FROM webhook_delivery d WHERE d.at < $1 AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery e
            WHERE e.client = d.client AND e.endpoint = d.endpoint AND e.number < d.number)
        ORDER BY d.at LIMIT $2";
    FIRST_DELIVERIES = "
        SELECT number, at FROM webhook_delivery WHERE client = $1 AND endpoint = $2 ORDER BY number LIMIT $3";
    PURGE_DELIVERIES = "DELETE FROM webhook_delivery WHERE client = $1 AND endpoint = $2 AND number <= $3";
    DROP_DELIVERIES = "DELETE FROM webhook_delivery WHERE client = $1 AND endpoint = $2";
    ERASE_DELIVERY = "UPDATE webhook_delivery SET record = $4 WHERE client = $1 AND endpoint = $2 AND number = $3";
}
