//! Statements that bulk-load empty tables by `COPY`.

use tokio_postgres::types::Type;

macro_rules! targets {
    ($($target:ident = $sql:literal, [$($column:ident),+];)*) => {
        /// Table that is loaded.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum CopyTarget { $($target),* }

        impl CopyTarget {
            /// Returns the `COPY` statement, and the types of its columns.
            pub(crate) const fn copy(self) -> (&'static str, &'static [Type]) {
                match self { $(Self::$target => ($sql, &[$(Type::$column),+])),* }
            }
        }

        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($target), $sql)),*];
    };
}

targets! {
    ClientName = "COPY client_name (name, client) FROM STDIN BINARY", [BYTEA, BYTEA];
    KeyDigest = "COPY key_digest (digest, client, api_key, environment) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, INT8];
    KeyOwner = "COPY key_owner (api_key, client) FROM STDIN BINARY", [BYTEA, BYTEA];
    ContextOwner = "COPY context_owner (context, client) FROM STDIN BINARY", [BYTEA, BYTEA];
    Client = "COPY client (client, number, api_keys, contexts, record) FROM STDIN BINARY", [BYTEA, INT8, INT8, INT8, BYTEA];
    Key = "COPY api_key (client, api_key, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA];
    Context = "COPY context (client, context, number, api_key, record) FROM STDIN BINARY", [BYTEA, BYTEA, INT8, BYTEA, BYTEA];
    IdempotencyRecord = "COPY idempotency_record (client, digest, parameters, expires_at, segment, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, INT8, INT8, BYTEA];
    Meter = "COPY meter (client, environment, record) FROM STDIN BINARY", [BYTEA, INT8, BYTEA];
    Row = "COPY ledger (client, environment, stream, seq, at, record) FROM STDIN BINARY", [BYTEA, INT8, INT8, INT8, INT8, BYTEA];
    Opening = "COPY opening (client, environment, stream, seq, address, record) FROM STDIN BINARY", [BYTEA, INT8, INT8, INT8, BYTEA, BYTEA];
    EndedPeriod = "COPY ended_period (client, environment, stream, last, invoice, record) FROM STDIN BINARY", [BYTEA, INT8, INT8, INT8, INT8, BYTEA];
    Alert = "COPY alert (client, environment, stream, seq, kind, record) FROM STDIN BINARY", [BYTEA, INT8, INT8, INT8, INT8, BYTEA];
    PriceBook = "COPY price_book (client, digest, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA];
    Invoice = "COPY invoice (client, number, record) FROM STDIN BINARY", [BYTEA, INT8, BYTEA];
    Adjustment = "COPY adjustment (client, number, invoice, record) FROM STDIN BINARY", [BYTEA, INT8, INT8, BYTEA];
    Account = "COPY account (client, record) FROM STDIN BINARY", [BYTEA, BYTEA];
    Concluded = "COPY concluded_check (client, check_id, address, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, BYTEA];
    Input = "COPY presented_input (client, context, digest, check_id) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, BYTEA];
    Verdict = "COPY verdict (client, context, address, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, BYTEA];
    Event = "COPY event (client, context, address, number, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, INT8, BYTEA];
    Label = "COPY label (client, context, address, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, BYTEA];
    Tombstone = "COPY tombstone (client, context, digest, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, BYTEA];
    Trace = "COPY fingerprint_page (client, context, page, record) FROM STDIN BINARY", [BYTEA, BYTEA, INT8, BYTEA];
    Cluster = "COPY cluster (client, context, kind, digest, record) FROM STDIN BINARY", [BYTEA, BYTEA, INT8, BYTEA, BYTEA];
    Assigned = "COPY assigned_cluster (client, context, member, record) FROM STDIN BINARY", [BYTEA, BYTEA, BYTEA, BYTEA];
    EvidenceCheck = "COPY evidence_check (check_id, opened_at, keep_until, bytes, judged, share) FROM STDIN BINARY", [BYTEA, INT8, INT8, INT8, BOOL, BYTEA];
    EvidenceBatch = "COPY evidence_batch (check_id, number, address, record) FROM STDIN BINARY", [BYTEA, INT8, BYTEA, BYTEA];
    AdminToken = "COPY admin_token (id, record) FROM STDIN BINARY", [BYTEA, BYTEA];
    Audit = "COPY audit (seq, record) FROM STDIN BINARY", [INT8, BYTEA];
}
