//! Statements of a connection and of its transactions.

super::statements! {
    /// Settings of every connection, so that a lock that another node holds for too long is an error here.
    SETTINGS = "SET lock_timeout = '1s'; SET statement_timeout = '10s'; SET idle_in_transaction_session_timeout = '30s'";
    /// Random id, for the commit markers of a process.
    CONNECTION_ID = "SELECT CAST(gen_random_uuid() AS text)";
    /// Health check: answers, and tells if the server is read-only.
    ASK = "SELECT current_setting('transaction_read_only')";
    BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";
    /// Begins a transaction with long timeouts, for migrations and for processes that wait for one.
    BEGIN_PATIENTLY = "
        BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '10min'; SET LOCAL statement_timeout = '10min';
        SET LOCAL idle_in_transaction_session_timeout = '10min'";
    /// Begins a transaction of reads on one snapshot.
    BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    COMMIT = "COMMIT";
    ROLLBACK = "ROLLBACK";
    MARK = "INSERT INTO commit_marker (client, marker, at, rolled_back) VALUES ($1, $2, $3, false)";
    /// Inserts the commit marker as that of a rolled-back transaction.
    ///
    /// Waits until the transaction with the same marker has ended, and inserts nothing if it was committed. Otherwise
    /// the marker prevents a later commit.
    INSERT_COMMIT_MARKER = "
        INSERT INTO commit_marker (client, marker, at, rolled_back) VALUES ($1, $2, $3, true)
        ON CONFLICT (client, marker) DO NOTHING";
    FATE = "SELECT rolled_back FROM commit_marker WHERE client = $1 AND marker = $2";
    SWEEP_MARKS = "DELETE FROM commit_marker WHERE at < $1";
    DELETE_EXPIRED_IDEMPOTENCY_RECORDS = "DELETE FROM idempotency_record WHERE expires_at < $1";
    /// Removes the timeouts of a transaction, for exports and imports of a complete store.
    UNHURRIED = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
}
