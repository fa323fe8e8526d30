//! Statements on users of the console, which are changed under the lock of the audit log.

super::statements! {
    USERS = "SELECT record FROM console_user ORDER BY id";
    USER = "SELECT record FROM console_user WHERE id = $1";
    SET_USER = "
        INSERT INTO console_user (id, record) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET record = excluded.record";
}
