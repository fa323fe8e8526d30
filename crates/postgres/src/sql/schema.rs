//! Statements on the server and on the tables themselves.

super::statements! {
    SETTINGS = "
        SELECT current_setting('transaction_read_only'), current_setting('synchronous_commit', true),
            current_setting('fsync', true), current_setting('full_page_writes', true)";
    TABLES = "
        SELECT CAST(table_name AS text) FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name";
    /// Row that a process locks while it changes tables. Row locks exist in every database of this kind.
    CREATE_LOCK = "CREATE TABLE IF NOT EXISTS schema_lock (one bigint NOT NULL, PRIMARY KEY (one))";
    FIRST_LOCK = "INSERT INTO schema_lock (one) VALUES (1) ON CONFLICT (one) DO NOTHING";
    LOCK = "SELECT one FROM schema_lock WHERE one = 1 FOR UPDATE";
    CREATE_VERSIONS = "
        CREATE TABLE IF NOT EXISTS schema_version (
            version bigint NOT NULL, checksum bytea NOT NULL, statements bigint NOT NULL, PRIMARY KEY (version))";
    VERSIONS = "SELECT version, checksum, statements FROM schema_version ORDER BY version";
    BEGIN_VERSION = "INSERT INTO schema_version (version, checksum, statements) VALUES ($1, $2, 0) ON CONFLICT (version) DO NOTHING";
    COUNT_STATEMENT = "UPDATE schema_version SET statements = $2 WHERE version = $1";
    IDENTITY = "SELECT id, created_at, pepper FROM store_identity WHERE one = 1";
    FIRST_IDENTITY = "INSERT INTO store_identity (one, id, created_at, pepper) VALUES (1, $1, $2, $3) ON CONFLICT (one) DO NOTHING";
}
