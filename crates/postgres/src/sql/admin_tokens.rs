//! Statements on named admin tokens, which are changed under the lock of the audit log.

super::statements! {
    ADMIN_TOKENS = "SELECT record FROM admin_token ORDER BY id";
    ADMIN_TOKEN = "SELECT record FROM admin_token WHERE id = $1";
    SET_ADMIN_TOKEN = "
        INSERT INTO admin_token (id, record) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET record = excluded.record";
}
