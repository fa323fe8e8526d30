//! Of a connection and of its transactions.

super::statements! {
    /// What every connection is set to, so that a lock that another node holds for too long is an error here.
    SETTINGS = "SET lock_timeout = '1s'; SET statement_timeout = '10s'; SET idle_in_transaction_session_timeout = '30s'";
    /// A random id, for the marks of a connection's transactions.
    CONNECTION_ID = "SELECT CAST(gen_random_uuid() AS text)";
    /// Whether anybody is there, and takes writes.
    ASK = "SELECT current_setting('transaction_read_only')";
    BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";
    /// For whoever waits until another process has changed tables, or changes them while others wait: that takes its time.
    BEGIN_PATIENTLY = "
        BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '10min'; SET LOCAL statement_timeout = '10min';
        SET LOCAL idle_in_transaction_session_timeout = '10min'";
    /// For reads that go together.
    BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    COMMIT = "COMMIT";
    ROLLBACK = "ROLLBACK";
    MARK = "INSERT INTO transaction_mark (client, mark, at, undone) VALUES ($1, $2, $3, false)";
    /// Waits for a transaction with the same mark to end. Adds the mark if that one was rolled back, so that it can never be
    /// committed later; adds nothing if it was committed.
    CLAIM_MARK = "
        INSERT INTO transaction_mark (client, mark, at, undone) VALUES ($1, $2, $3, true)
        ON CONFLICT (client, mark) DO NOTHING";
    FATE = "SELECT undone FROM transaction_mark WHERE client = $1 AND mark = $2";
    SWEEP_MARKS = "DELETE FROM transaction_mark WHERE at < $1";
    SWEEP_CLAIMS = "DELETE FROM claim WHERE ends_at < $1";
    /// Those that an earlier version has left.
    SWEEP_CLAIM_ENDS = "DELETE FROM claim_end WHERE ends_at < $1";
    /// For work on whole stores, which takes as long as it takes.
    UNHURRIED = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
}
