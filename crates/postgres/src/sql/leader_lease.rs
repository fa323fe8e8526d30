//! Statements of the leader lease. Only these use the clock of the database, because the clocks of nodes may differ.

super::statements! {
    /// Acquires or renews the lease; returns no row if another node holds it. The number is incremented with every new
    /// holder.
    TAKE = "
        UPDATE turn SET holder = $1, ends = CURRENT_TIMESTAMP + INTERVAL '15 seconds',
            number = CASE WHEN holder = $1 THEN number ELSE number + 1 END
        WHERE one = 1 AND (holder = $1 OR ends <= CURRENT_TIMESTAMP)
        RETURNING number";
    /// Inserts the row. Separate from acquiring it, because Citus does not evaluate the time in a conflict clause.
    FIRST = "
        INSERT INTO turn (one, holder, number, ends) VALUES (1, $1, 1, CURRENT_TIMESTAMP)
        ON CONFLICT (one) DO NOTHING";
    LEAVE = "UPDATE turn SET ends = CURRENT_TIMESTAMP WHERE one = 1 AND holder = $1";
}
