//! Statements on the counts of checks. The total of a day is the lock of its counts.

super::statements! {
    CHECK_COUNTS = "
        SELECT context, day, record FROM check_count WHERE context = ANY($1) AND day >= $2 AND day <= $3
        ORDER BY day, context";
    CHECK_COUNTS_OF_DAY = "SELECT context, record FROM check_count WHERE context = ANY($1) AND day = $2";
    SET_CHECK_COUNT = "
        INSERT INTO check_count (day, context, record) VALUES ($1, $2, $3)
        ON CONFLICT (context, day) DO UPDATE SET record = excluded.record";
    CHECK_TOTALS = "SELECT day, record FROM check_total WHERE day >= $1 AND day <= $2 ORDER BY day";
    LOCK_CHECK_TOTAL = "SELECT record FROM check_total WHERE day = $1 FOR UPDATE";
    FIRST_CHECK_TOTAL = "INSERT INTO check_total (day, record) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING";
    SET_CHECK_TOTAL = "UPDATE check_total SET record = $2 WHERE day = $1";
    PURGE_CHECK_COUNTS = "
        DELETE FROM check_count WHERE (context, day) IN
        (SELECT context, day FROM check_count WHERE day < $1 ORDER BY day, context LIMIT $2)";
    PURGE_CHECK_TOTALS = "
        DELETE FROM check_total WHERE day IN (SELECT day FROM check_total WHERE day < $1 ORDER BY day LIMIT $2)";
}
