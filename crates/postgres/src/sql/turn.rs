//! Whose turn it is. The only statements that go by the database's clock: those of the nodes may differ.

super::statements! {
    /// Takes the turn if nobody has it, or prolongs it; finds nothing if another node has it. The number counts the nodes that
    /// had it, one after the other.
    TAKE = "
        UPDATE turn SET holder = $1, ends = CURRENT_TIMESTAMP + INTERVAL '15 seconds',
            number = CASE WHEN holder = $1 THEN number ELSE number + 1 END
        WHERE one = 1 AND (holder = $1 OR ends <= CURRENT_TIMESTAMP)
        RETURNING number";
    /// Makes the row. Apart from taking it, because Citus evaluates no time in a conflict clause.
    FIRST = "
        INSERT INTO turn (one, holder, number, ends) VALUES (1, $1, 1, CURRENT_TIMESTAMP)
        ON CONFLICT (one) DO NOTHING";
    LEAVE = "UPDATE turn SET ends = CURRENT_TIMESTAMP WHERE one = 1 AND holder = $1";
}
