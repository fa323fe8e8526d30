//! Statements of the leader lease. Only these use the clock of the database, because the clocks of nodes may differ.

super::statements! {
    /// Acquires or renews the lease; returns no row if another node holds it. The term is incremented with every new
    /// leader.
    TAKE = "
        UPDATE leader_lease SET node = $1, expires_at = CURRENT_TIMESTAMP + INTERVAL '15 seconds',
            term = CASE WHEN node = $1 THEN term ELSE term + 1 END
        WHERE one = 1 AND (node = $1 OR expires_at <= CURRENT_TIMESTAMP)
        RETURNING term";
    /// Inserts the row. Separate from acquiring it, because Citus does not evaluate the time in a conflict clause.
    FIRST = "
        INSERT INTO leader_lease (one, node, term, expires_at) VALUES (1, $1, 1, CURRENT_TIMESTAMP)
        ON CONFLICT (one) DO NOTHING";
    LEAVE = "UPDATE leader_lease SET expires_at = CURRENT_TIMESTAMP WHERE one = 1 AND node = $1";
}
