//! Statements of operators: overrides, the audit log and the signing key.

super::statements! {
    VERDICTS = "SELECT address, record FROM verdict WHERE client = $1 AND context = $2 AND address > $3 ORDER BY address LIMIT $4";
    AUDIT = "SELECT seq, record FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2";
    AUDIT_HEAD = "SELECT record FROM audit_head WHERE one = 1";
    LOCK_AUDIT_HEAD = "SELECT record FROM audit_head WHERE one = 1 FOR UPDATE";
    APPEND_AUDIT = "INSERT INTO audit (seq, record) VALUES ($1, $2)";
    SET_AUDIT_HEAD = "UPDATE audit_head SET record = $1 WHERE one = 1";
    INIT_AUDIT_HEAD = "INSERT INTO audit_head (one, record) VALUES (1, $1) ON CONFLICT (one) DO NOTHING";
    SIGNING_KEY = "SELECT number FROM signing_key WHERE one = 1";
    LOCK_SIGNING_KEY = "SELECT number FROM signing_key WHERE one = 1 FOR UPDATE";
    SET_SIGNING_KEY = "UPDATE signing_key SET number = $1 WHERE one = 1";
    FIRST_SIGNING_KEY = "INSERT INTO signing_key (one, number) VALUES (1, 0) ON CONFLICT (one) DO NOTHING";
}
