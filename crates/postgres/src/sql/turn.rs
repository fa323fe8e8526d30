//! Whose turn it is. The only statements that go by the database's clock: those of the nodes may differ.

super::statements! {
    /// Takes the turn if nobody has it, or prolongs it; finds nothing if another node has it. The number counts the nodes that
    /// had it, one after the other.
    TAKE = "
        INSERT INTO turn (one, holder, number, ends) VALUES (1, $1, 1, CURRENT_TIMESTAMP + INTERVAL '15 seconds')
        ON CONFLICT (one) DO UPDATE SET holder = excluded.holder, ends = excluded.ends,
            number = CASE WHEN turn.holder = excluded.holder THEN turn.number ELSE turn.number + 1 END
        WHERE turn.holder = excluded.holder OR turn.ends <= CURRENT_TIMESTAMP
        RETURNING number";
    LEAVE = "UPDATE turn SET ends = CURRENT_TIMESTAMP WHERE one = 1 AND holder = $1";
}
