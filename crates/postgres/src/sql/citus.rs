//! The functions and tables of the extension Citus, which spreads tables over the machines of a cluster.

super::statements! {
    /// Whether the extension is in this database. A database without extensions has the table all the same.
    EXTENSION = "SELECT CAST(1 AS bigint) FROM pg_extension WHERE extname = 'citus'";
    /// Which of its functions can be called.
    FUNCTIONS = "
        SELECT DISTINCT CAST(proname AS text) FROM pg_proc
        WHERE proname IN ('citus_version', 'create_distributed_table', 'create_reference_table', 'citus_add_local_table_to_metadata')
        AND pg_function_is_visible(oid)";
    /// Fails where the library of the extension is not loaded, or is of another version.
    VERSION = "SELECT CAST(citus_version() AS text)";
    /// Whether the other machines know this one as the coordinator, as they do once its address was set.
    COORDINATOR = "SELECT CAST(groupid AS bigint) FROM pg_dist_node WHERE groupid = 0";
    /// Whether this machine is the coordinator.
    HERE = "SELECT CAST(groupid AS bigint) FROM pg_dist_local_group";
    /// The tables that are spread already.
    SPREAD = "
        SELECT CAST(c.relname AS text) FROM pg_dist_partition p
        JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema()";
    DISTRIBUTE = "SELECT create_distributed_table(CAST(CAST($1 AS text) AS regclass), $2, colocate_with => $3)";
    COPY = "SELECT create_reference_table(CAST(CAST($1 AS text) AS regclass))";
    ADD_LOCAL = "SELECT citus_add_local_table_to_metadata(CAST(CAST($1 AS text) AS regclass))";
    /// The settings of a connection are not those of the connections behind it. Those of a role are, and the extension sets them on
    /// every machine. A lock that is held for too long is an error there, too; and what a machine that hangs has locked on others is free after a while.
    SET_ROLE = "
        ALTER ROLE CURRENT_USER SET lock_timeout = '1s';
        ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '30s'";
    /// For work on whole stores: each table is filled over one connection to a machine, which the next statements use, too; and
    /// the settings of the transaction are those of the connections behind it.
    SEQUENTIAL = "
        SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.propagate_set_commands = 'local'";
    /// How long the end of writes under way is waited for, before further ones are held up.
    WAIT_FOR_WRITES = "SET LOCAL lock_timeout = '30s'";
    /// The machines, and how many parts of the table of clients each has.
    NODES = "
        SELECT CAST(n.groupid AS bigint), CAST(n.nodename AS text), CAST(n.nodeport AS bigint),
            CAST(COUNT(s.shardid) AS bigint)
        FROM pg_dist_node n
        LEFT JOIN pg_dist_placement p ON p.groupid = n.groupid
        LEFT JOIN pg_dist_shard s ON s.shardid = p.shardid AND s.logicalrelid = CAST('client' AS regclass)
        WHERE n.isactive AND CAST(n.noderole AS text) = 'primary'
        GROUP BY n.groupid, n.nodename, n.nodeport ORDER BY n.groupid";
    /// The machine that the rows of a client are on.
    NODE_OF = "
        SELECT CAST(groupid AS bigint) FROM pg_dist_placement
        WHERE shardid = get_shard_id_for_distribution_column(CAST('client' AS regclass), CAST($1 AS bytea))";
    /// Asks a machine for its settings, by a connection of its own.
    ASK_NODE = "
        SELECT success, CAST(result AS text) FROM master_run_on_worker(
            ARRAY[CAST($1 AS text)], ARRAY[CAST(CAST($2 AS bigint) AS integer)],
            ARRAY['SELECT concat_ws('','', current_setting(''synchronous_commit''), current_setting(''fsync''), current_setting(''full_page_writes''))'],
            false)";
}
