//! The functions of the extension Citus, which spreads tables over the machines of a cluster.

super::statements! {
    /// Which of its functions can be called.
    FUNCTIONS = "
        SELECT DISTINCT CAST(proname AS text) FROM pg_proc
        WHERE proname IN ('citus_version', 'create_distributed_table', 'create_reference_table')
        AND pg_function_is_visible(oid)";
    /// Fails where the library of the extension is not loaded, or is of another version.
    VERSION = "SELECT CAST(citus_version() AS text)";
    /// The tables that are spread already.
    SPREAD = "
        SELECT CAST(c.relname AS text) FROM pg_dist_partition p
        JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema()";
    DISTRIBUTE = "SELECT create_distributed_table(CAST(CAST($1 AS text) AS regclass), $2, colocate_with => $3)";
    COPY = "SELECT create_reference_table(CAST(CAST($1 AS text) AS regclass))";
}
