//! Statements on labels.

super::statements! {
    LABELS = "SELECT address, record FROM label WHERE client = $1 AND context = $2 AND address > $3 ORDER BY address LIMIT $4";
    SET_LABEL = "
        INSERT INTO label (client, context, address, record) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, context, address) DO UPDATE SET record = excluded.record";
}
