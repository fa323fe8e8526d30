//! Statements that read ledgers, and statements on invoices.

super::statements! {
    METER = "SELECT record FROM meter WHERE client = $1 AND environment = $2 AND record IS NOT NULL";
    ROWS = "
        SELECT l.record, o.record FROM ledger l
        LEFT JOIN opening o ON o.client = l.client AND o.environment = l.environment AND o.stream = l.stream AND o.seq = l.seq
        WHERE l.client = $1 AND l.environment = $2 AND l.stream = 0 AND l.seq > $3 ORDER BY l.seq LIMIT $4";
    ENDED_PERIODS = "
        SELECT record FROM ended_period
        WHERE client = $1 AND environment = $2 AND stream = 0 AND last > $3 ORDER BY last LIMIT $4";
    ENDED_PERIOD = "SELECT record FROM ended_period WHERE client = $1 AND environment = $2 AND stream = 0 AND last = $3";
    WITHOUT_INVOICE = "
        SELECT record FROM ended_period
        WHERE client = $1 AND environment = $2 AND stream = 0 AND invoice IS NULL ORDER BY last";
    ALERTS = "
        SELECT record FROM alert
        WHERE client = $1 AND environment = $2 AND stream = 0 AND seq > $3 ORDER BY seq, kind LIMIT $4";
    BOOK = "SELECT record FROM price_book WHERE client = $1 AND digest = $2";
    INVOICE = "SELECT record FROM invoice WHERE client = $1 AND number = $2";
    INVOICES = "SELECT record FROM invoice WHERE client = $1 AND number > $2 ORDER BY number LIMIT $3";
    ADD_INVOICE = "INSERT INTO invoice (client, number, record) VALUES ($1, $2, $3)";
    SET_INVOICE = "UPDATE invoice SET record = $3 WHERE client = $1 AND number = $2";
    WAITING = "SELECT record FROM adjustment WHERE client = $1 AND invoice IS NULL ORDER BY number";
    SET_ADJUSTMENT = "
        INSERT INTO adjustment (client, number, invoice, record) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, number) DO UPDATE SET invoice = excluded.invoice, record = excluded.record";
    ACCOUNT = "SELECT record FROM account WHERE client = $1";
    SET_ACCOUNT = "
        INSERT INTO account (client, record) VALUES ($1, $2)
        ON CONFLICT (client) DO UPDATE SET record = excluded.record";
    LEDGERS = "SELECT client, environment FROM meter WHERE record IS NOT NULL ORDER BY client, environment";
    /// Openings of a ledger in ascending order, which is also the order of their dates.
    FIRST_OPENINGS = "
        SELECT o.seq, l.at FROM opening o
        JOIN ledger l ON l.client = o.client AND l.environment = o.environment AND l.stream = o.stream AND l.seq = o.seq
        WHERE o.client = $1 AND o.environment = $2 AND o.stream = 0 ORDER BY o.seq LIMIT $3";
    /// Rows of a ledger in ascending order, which is also the order of their dates, without the last row.
    FIRST_ROWS = "
        SELECT seq, at FROM ledger
        WHERE client = $1 AND environment = $2 AND stream = 0 AND seq < (
            SELECT max(seq) FROM ledger WHERE client = $1 AND environment = $2 AND stream = 0
        ) ORDER BY seq LIMIT $3";
    EXPIRE_ROWS = "DELETE FROM ledger WHERE client = $1 AND environment = $2 AND stream = 0 AND seq = ANY($3)";
    EXPIRE_PERIODS = "DELETE FROM ended_period WHERE client = $1 AND environment = $2 AND stream = 0 AND last = ANY($3)";
    FORGET_OPENINGS = "DELETE FROM opening WHERE client = $1 AND environment = $2 AND stream = 0 AND seq = ANY($3)";
}
