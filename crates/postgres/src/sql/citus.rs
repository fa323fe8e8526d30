//! The functions of the extension Citus, which spreads tables over the machines of a cluster.

super::statements! {
    /// Which of its functions are there.
    FUNCTIONS = "
        SELECT DISTINCT CAST(routine_name AS text) FROM information_schema.routines
        WHERE routine_name IN ('citus_version', 'create_distributed_table', 'create_reference_table')";
    /// Fails where the library of the extension is not loaded, or is of another version.
    VERSION = "SELECT CAST(citus_version() AS text)";
    /// The tables that are spread already.
    SPREAD = "SELECT CAST(c.relname AS text) FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid";
    DISTRIBUTE = "SELECT create_distributed_table(CAST(CAST($1 AS text) AS regclass), $2, colocate_with => $3)";
    COPY = "SELECT create_reference_table(CAST(CAST($1 AS text) AS regclass))";
}
