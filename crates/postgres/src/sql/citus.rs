//! Functions and metadata tables of the extension Citus, which distributes tables over a cluster.

super::statements! {
    /// Finds the extension in this database. The catalog exists in databases without extensions, too.
    EXTENSION = "SELECT CAST(1 AS bigint) FROM pg_extension WHERE extname = 'citus'";
    /// Finds the functions of the extension that can be called.
    FUNCTIONS = "
        SELECT DISTINCT CAST(proname AS text) FROM pg_proc
        WHERE proname IN ('citus_version', 'create_distributed_table', 'create_reference_table', 'citus_add_local_table_to_metadata')
        AND pg_function_is_visible(oid)";
    /// Fails if the library of the extension is not loaded or has another version.
    VERSION = "SELECT CAST(citus_version() AS text)";
    /// Finds the coordinator in the metadata, where it is once its address was set.
    COORDINATOR = "SELECT CAST(groupid AS bigint) FROM pg_dist_node WHERE groupid = 0";
    /// Group id of this server; 0 is the coordinator.
    HERE = "SELECT CAST(groupid AS bigint) FROM pg_dist_local_group";
    /// Tables that are distributed already.
    SPREAD = "
        SELECT CAST(c.relname AS text) FROM pg_dist_partition p
        JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema()";
    DISTRIBUTE = "SELECT create_distributed_table(CAST(CAST($1 AS text) AS regclass), $2, colocate_with => $3)";
    COPY = "SELECT create_reference_table(CAST(CAST($1 AS text) AS regclass))";
    ADD_LOCAL = "SELECT citus_add_local_table_to_metadata(CAST(CAST($1 AS text) AS regclass))";
    /// Timeouts of the role. Session settings do not reach the connections between servers; Citus sets those of a role
    /// on every server.
    ///
    /// The settings make a lock that is held for too long an error there, too, and locks that a hanging server holds on
    /// others are released after a while.
    SET_ROLE = "
        ALTER ROLE CURRENT_USER SET lock_timeout = '1s';
        ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '30s'";
    /// Settings of the role.
    ROLE = "SELECT CAST(setting AS text) FROM pg_roles, unnest(rolconfig) AS setting WHERE rolname = CURRENT_USER";
    /// Settings for bulk work on all servers.
    ///
    /// Each table is written over one connection per server, which later statements reuse, and the settings of the
    /// transaction are forwarded to these connections.
    SEQUENTIAL = "
        SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.propagate_set_commands = 'local'";
    /// Timeout for the end of writes in flight, before new writes are blocked.
    WAIT_FOR_WRITES = "SET LOCAL lock_timeout = '30s'";
    /// Servers, each with its number of shards of the table `client`.
    NODES = "
        SELECT CAST(n.groupid AS bigint), CAST(n.nodename AS text), CAST(n.nodeport AS bigint),
            CAST(COUNT(s.shardid) AS bigint)
        FROM pg_dist_node n
        LEFT JOIN pg_dist_placement p ON p.groupid = n.groupid
        LEFT JOIN pg_dist_shard s ON s.shardid = p.shardid AND s.logicalrelid = CAST('client' AS regclass)
        WHERE n.isactive AND CAST(n.noderole AS text) = 'primary'
        GROUP BY n.groupid, n.nodename, n.nodeport ORDER BY n.groupid";
    /// Server that stores the rows of a client.
    NODE_OF = "
        SELECT CAST(groupid AS bigint) FROM pg_dist_placement
        WHERE shardid = get_shard_id_for_distribution_column(CAST('client' AS regclass), CAST($1 AS bytea))";
    /// Reads the settings of another server over a connection from this one.
    ASK_NODE = "
        SELECT success, CAST(result AS text) FROM master_run_on_worker(
            ARRAY[CAST($1 AS text)], ARRAY[CAST(CAST($2 AS bigint) AS integer)],
            ARRAY['SELECT concat_ws('','', current_setting(''synchronous_commit''), current_setting(''fsync''), current_setting(''full_page_writes''))'],
            false)";
}
