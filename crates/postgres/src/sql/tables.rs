//! Registry of the tables: one row for each.
//!
//! A row names the table, its distribution over a cluster and its columns. If the columns are the key and the record of a
//! table of a dump, the row names the columns of the key as well. `COPY`, the export and the import of such a table, the
//! erasure of an address and the distribution are derived from the rows.

use crate::error::Error;
use crate::value::{Value, decode, values};
use tokio_postgres::types::Type;
use voight_domain::check::EvidenceBatch;
use voight_domain::events::{ClientEvent, EventFeed, EventSubject};
use voight_domain::invoicing::Adjustment;
use voight_domain::metering::{EndedPeriod, LedgerRow, Opening};
use voight_domain::registry::Context;
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::vocabulary::EoaAddress;
use voight_domain::webhooks::{DeliveryRecord, EndpointRecord};
use voight_encoding::ByteEnum;
use voight_encoding::keyspace::Table;

/// Distribution of a table over the servers of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Distributed by client; the rows of a client are colocated.
    ByClient,
    /// Distributed by check; the rows of a check are colocated.
    ByCheck,
    /// Reference table: a copy on every server.
    Reference,
    /// Local table on the coordinator that every server can reach.
    Local,
}

impl Distribution {
    /// Returns the distribution column and the table to colocate with. The first table names itself.
    pub(crate) const fn distribution(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::ByClient => Some(("client", "client")),
            Self::ByCheck => Some(("check_id", "evidence_check")),
            Self::Reference | Self::Local => None,
        }
    }
}

/// Scope of the records of a table. It determines the columns before those of the record key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The store; no columns.
    Store,
    /// A client; its id.
    Client,
    /// A ledger; client, environment and stream.
    Ledger,
    /// A context; client and context id.
    Context,
}

/// Table with the key and the record of a table of a dump in its columns.
#[derive(Clone, Copy)]
pub(crate) struct KeyedTable {
    /// The table.
    pub(crate) table: SqlTable,
    /// Scope of the records.
    pub(crate) scope: Scope,
    /// Statement that reads keys and records in key order; with a scope other than the store, those of client `$1`.
    pub(crate) export: &'static str,
    /// Values of the columns between the key and the record, from the record.
    pub(crate) derived_columns: fn(&[u8]) -> Result<Vec<Value>, Error>,
}

/// Place of the records of a table of a dump.
pub(crate) enum Placement {
    /// One table with the keys and the records.
    Keyed(KeyedTable),
    /// Other columns, or none.
    Converted(ConvertedTable),
}

/// Statement that reads the keys and records of a table in key order.
macro_rules! export_statement {
    (Context $name:literal $($key:ident),*) => {
        concat!(
            "SELECT x.number, ", $("t.", stringify!($key), ", ",)* "t.record FROM ", $name,
            " t JOIN context x ON x.client = t.client AND x.context = t.context WHERE t.client = $1 ORDER BY x.number",
            $(", t.", stringify!($key)),*
        )
    };
    (Ledger $name:literal $($key:ident),*) => {
        concat!(
            "SELECT environment, ", $(stringify!($key), ", ",)* "record FROM ", $name,
            " WHERE client = $1 AND stream = 0 ORDER BY environment", $(", ", stringify!($key)),*
        )
    };
    (Client $name:literal) => { concat!("SELECT record FROM ", $name, " WHERE client = $1") };
    (Client $name:literal $first:ident $(, $key:ident)*) => {
        concat!(
            "SELECT ", stringify!($first), $(", ", stringify!($key),)* ", record FROM ", $name,
            " WHERE client = $1 ORDER BY ", stringify!($first), $(", ", stringify!($key)),*
        )
    };
    (Store $name:literal $first:ident $(, $key:ident)*) => {
        concat!(
            "SELECT ", stringify!($first), $(", ", stringify!($key),)* ", record FROM ", $name, " ORDER BY ",
            stringify!($first), $(", ", stringify!($key)),*
        )
    };
}

/// Statement that deletes the records of an address in a context, for a table whose columns begin with them.
macro_rules! erase_statement {
    ($name:literal client context address $($column:ident)*) => {
        Some(concat!(
            "DELETE FROM ",
            $name,
            " WHERE client = $1 AND context = $2 AND address = $3"
        ))
    };
    ($name:literal $($column:ident)*) => {
        None
    };
}

macro_rules! derived_columns {
    () => { |_| Ok(Vec::new()) };
    ([$columns:path]) => { $columns };
    ({ $record:ty: $($field:ident).+, $($other:ident).+ }) => {
        |record| decode::<$record>(record).map(|record| values![record.$($field).+, record.$($other).+])
    };
    ({ $record:ty: $($field:ident).+ }) => { |record| decode::<$record>(record).map(|record| values![record.$($field).+]) };
}

macro_rules! tables {
    (
        loaded {
            $($table:ident = $name:literal $distribution:ident
                ($first:ident $first_type:ident $(, $column:ident $type:ident)*)
                $(holds $scope:ident ($($key:ident),*) $(with $derived:tt)?)?;)*
        }
        not_loaded { $($other:literal $other_distribution:ident;)* }
        converted { $($converted:ident),* $(,)? }
    ) => {
        /// Table that a dump is loaded into.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum SqlTable { $($table),* }

        /// Table of a dump whose keys and records are not columns of one table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum ConvertedTable { $($converted),* }

        /// Every table of this release, in the order in which they are distributed. The first table of a distribution is
        /// the one that later ones are colocated with.
        pub(crate) const DISTRIBUTED_TABLES: &[(&str, Distribution)] =
            &[$(($name, Distribution::$distribution),)* $(($other, Distribution::$other_distribution)),*];

        /// Statements that delete the records of address `$3` in context `$2` of client `$1`.
        pub(crate) const ERASE_ADDRESS: &[Option<&str>] = &[$(erase_statement!($name $first $($column)*)),*];

        impl SqlTable {
            /// Returns the `COPY` statement, and the types of its columns.
            pub(crate) const fn copy(self) -> (&'static str, &'static [Type]) {
                match self {
                    $(Self::$table => (
                        concat!("COPY ", $name, " (", stringify!($first), $(", ", stringify!($column),)* ") FROM STDIN BINARY"),
                        &[Type::$first_type, $(Type::$type),*],
                    ),)*
                }
            }
        }

        impl Placement {
            /// Returns the place of the records of a table of a dump.
            pub(crate) fn for_table(table: Table) -> Self {
                match table {
                    $($(Table::$table => Self::Keyed(KeyedTable {
                        table: SqlTable::$table,
                        scope: Scope::$scope,
                        export: export_statement!($scope $name $($key),*),
                        derived_columns: derived_columns!($($derived)?),
                    }),)?)*
                    $(Table::$converted => Self::Converted(ConvertedTable::$converted),)*
                }
            }
        }

        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((concat!("COPY ", $name), SqlTable::$table.copy().0)),*];
    };
}

tables! {
    loaded {
        // Directories: they lead from a name, a digest or an id to a client.
        ClientName = "client_name" Reference (name BYTEA, client BYTEA);
        KeyDigest = "key_digest" Reference (digest BYTEA, client BYTEA, api_key BYTEA, environment INT8);
        KeyOwner = "key_owner" Reference (api_key BYTEA, client BYTEA);
        ContextOwner = "context_owner" Reference (context BYTEA, client BYTEA);
        Client = "client" ByClient (client BYTEA, number INT8, api_keys INT8, contexts INT8, record BYTEA);
        Key = "api_key" ByClient (client BYTEA, api_key BYTEA, record BYTEA) holds Client (api_key);
        Context = "context" ByClient (client BYTEA, context BYTEA, number INT8, api_key BYTEA, record BYTEA)
            holds Client (context) with { Context: number, key };
        IdempotencyRecord = "idempotency_record" ByClient
            (client BYTEA, digest BYTEA, parameters BYTEA, expires_at INT8, segment INT8, record BYTEA);
        Meter = "meter" ByClient (client BYTEA, environment INT8, record BYTEA);
        Row = "ledger" ByClient (client BYTEA, environment INT8, stream INT8, seq INT8, at INT8, record BYTEA)
            holds Ledger (seq) with { LedgerRow: at };
        Opening = "opening" ByClient (client BYTEA, environment INT8, stream INT8, seq INT8, address BYTEA, record BYTEA)
            holds Ledger (seq) with { Opening: address };
        EndedPeriod = "ended_period" ByClient
            (client BYTEA, environment INT8, stream INT8, last INT8, invoice INT8, record BYTEA)
            holds Ledger (last) with { EndedPeriod: invoice };
        Alert = "alert" ByClient (client BYTEA, environment INT8, stream INT8, seq INT8, kind INT8, record BYTEA)
            holds Ledger (seq, kind);
        PriceBook = "price_book" ByClient (client BYTEA, digest BYTEA, record BYTEA);
        Invoice = "invoice" ByClient (client BYTEA, number INT8, record BYTEA) holds Client (number);
        Adjustment = "adjustment" ByClient (client BYTEA, number INT8, invoice INT8, record BYTEA)
            holds Client (number) with { Adjustment: invoice };
        Account = "account" ByClient (client BYTEA, record BYTEA) holds Client ();
        Concluded = "concluded_check" ByClient (client BYTEA, check_id BYTEA, address BYTEA, record BYTEA);
        PresentedInput = "presented_input" ByClient (client BYTEA, context BYTEA, digest BYTEA, check_id BYTEA);
        Verdict = "verdict" ByClient (client BYTEA, context BYTEA, address BYTEA, record BYTEA) holds Context (address);
        Event = "event" ByClient (client BYTEA, context BYTEA, address BYTEA, number INT8, record BYTEA)
            holds Context (address, number);
        Label = "label" ByClient (client BYTEA, context BYTEA, address BYTEA, record BYTEA) holds Context (address);
        Tombstone = "tombstone" ByClient (client BYTEA, context BYTEA, digest BYTEA, record BYTEA) holds Context (digest);
        FingerprintPage = "fingerprint_page" ByClient (client BYTEA, context BYTEA, page INT8, record BYTEA)
            holds Context (page);
        Cluster = "cluster" ByClient (client BYTEA, context BYTEA, kind INT8, digest BYTEA, record BYTEA);
        AssignedCluster = "assigned_cluster" ByClient (client BYTEA, context BYTEA, member BYTEA, record BYTEA);
        EvidenceHead = "evidence_check" ByCheck
            (check_id BYTEA, opened_at INT8, keep_until INT8, bytes INT8, judged BOOL, share BYTEA);
        Evidence = "evidence_batch" ByCheck (check_id BYTEA, number INT8, address BYTEA, record BYTEA)
            holds Store (check_id, number) with { EvidenceBatch: challenge.address };
        AdminToken = "admin_token" Local (id BYTEA, record BYTEA) holds Store (id);
        Snapshot = "snapshot" ByClient (client BYTEA, id BYTEA, record BYTEA) holds Client (id);
        SnapshotSlice = "snapshot_slice" ByClient
            (client BYTEA, snapshot BYTEA, number INT8, first_address BYTEA, last_address BYTEA, record BYTEA)
            holds Client (snapshot, number) with [slice_bounds];
        ClientEvent = "client_event" ByClient (client BYTEA, number INT8, at INT8, address BYTEA, record BYTEA)
            holds Client (number) with [event_columns];
        EventFeed = "event_feed" ByClient (client BYTEA, last_at INT8, record BYTEA)
            holds Client () with { EventFeed: last_at };
        Endpoint = "webhook_endpoint" ByClient (client BYTEA, id BYTEA, lane INT8, due_at INT8, record BYTEA)
            holds Client (id) with [endpoint_columns];
        Delivery = "webhook_delivery" ByClient (client BYTEA, endpoint BYTEA, number INT8, at INT8, record BYTEA)
            holds Client (endpoint, number) with { DeliveryRecord: at };
        User = "console_user" Local (id BYTEA, record BYTEA) holds Store (id);
        CheckCount = "check_count" Local (day INT8, context BYTEA, record BYTEA) holds Store (day, context);
        CheckTotal = "check_total" Local (day INT8, record BYTEA) holds Store (day);
        Audit = "audit" Local (seq INT8, record BYTEA) holds Store (seq);
    }
    not_loaded {
        "commit_marker" ByClient;
        "client_total" Local;
        "evidence_total" Local;
        "audit_head" Local;
        "signing_key" Local;
        "store_identity" Local;
        "schema_lock" Local;
        "schema_version" Local;
        "leader_lease" Local;
    }
    converted {
        Identity, Client, KeyDigest, KeyOwner, ClientName, ClientCount, ClientCounters, ContextIndex, PresentedInput,
        Concluded, Meter, AuditHead, PriceBook, Cluster, EvidenceHead, Unsettled, EvidenceTotal, EvidenceDue, DueEndpoint, SigningKey,
        IdempotencyRecord,
    }
}

/// Returns the values of the columns of a slice of a snapshot that bound its addresses.
fn slice_bounds(record: &[u8]) -> Result<Vec<Value>, Error> {
    decode::<SnapshotSlice>(record).map(|slice| address_bounds(&slice).map(Value::from).to_vec())
}

/// Returns the first and the last address of a slice, or two empty values. An erasure finds the slice by them.
pub(crate) fn address_bounds(slice: &SnapshotSlice) -> [Vec<u8>; 2] {
    let pending = slice.pending.iter().map(|pending_row| pending_row.address);
    let addresses = slice.rows.iter().map(|row| row.address).chain(pending);
    let bytes = |address: Option<EoaAddress>| {
        address
            .map(|address| address.as_bytes().to_vec())
            .unwrap_or_default()
    };
    [bytes(addresses.clone().next()), bytes(addresses.last())]
}

/// Returns the values of the columns of an event between its number and its record.
fn event_columns(record: &[u8]) -> Result<Vec<Value>, Error> {
    decode::<ClientEvent>(record).map(|event| values![event.at, event_address(&event)])
}

/// Returns the values of the columns of an endpoint between its id and its record.
fn endpoint_columns(record: &[u8]) -> Result<Vec<Value>, Error> {
    decode::<EndpointRecord>(record)
        .map(|record| values![i64::from(record.lane().code()), record.due_at])
}

/// Returns the address of an event on a verdict; `None` after its erasure. An erasure finds the event by it.
pub(crate) const fn event_address(event: &ClientEvent) -> Option<EoaAddress> {
    match event.event.subject {
        EventSubject::Verdict { address, .. } => address,
        _ => None,
    }
}

/// Returns the export statements of the keyed tables, and the statements that erase an address, with names for the lint.
#[cfg(test)]
pub(crate) fn derived_statements() -> impl Iterator<Item = (String, &'static str)> {
    let exports = Table::ALL
        .iter()
        .filter_map(|table| match Placement::for_table(*table) {
            Placement::Keyed(keyed_table) => {
                Some((format!("export of {}", table.name()), keyed_table.export))
            }
            Placement::Converted(_) => None,
        });
    exports.chain(
        ERASE_ADDRESS
            .iter()
            .flatten()
            .map(|statement| ("erasure of an address".to_owned(), *statement)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(table: Table) -> &'static str {
        match Placement::for_table(table) {
            Placement::Keyed(keyed_table) => keyed_table.export,
            Placement::Converted(converted_table) => panic!("{converted_table:?} has no statement"),
        }
    }

    #[test]
    fn statements_are_derived_from_tables() {
        assert_eq!(
            SqlTable::Audit.copy(),
            (
                "COPY audit (seq, record) FROM STDIN BINARY",
                &[Type::INT8, Type::BYTEA][..]
            )
        );
        for (table, expected) in [
            (
                Table::Evidence,
                "SELECT check_id, number, record FROM evidence_batch ORDER BY check_id, number",
            ),
            (
                Table::Account,
                "SELECT record FROM account WHERE client = $1",
            ),
            (
                Table::Invoice,
                "SELECT number, record FROM invoice WHERE client = $1 ORDER BY number",
            ),
            (
                Table::Alert,
                "SELECT environment, seq, kind, record FROM alert WHERE client = $1 AND stream = 0 ORDER BY environment, seq, kind",
            ),
            (
                Table::Event,
                "SELECT x.number, t.address, t.number, t.record FROM event t JOIN context x ON x.client = t.client AND x.context = t.context WHERE t.client = $1 ORDER BY x.number, t.address, t.number",
            ),
        ] {
            assert_eq!(export(table), expected);
        }
    }

    #[test]
    fn erasure_covers_every_address_table() {
        let tables: Vec<_> = ERASE_ADDRESS
            .iter()
            .flatten()
            .filter_map(|sql| sql.split(' ').nth(2))
            .collect();
        assert_eq!(tables, ["verdict", "event", "label"]);
    }
}
