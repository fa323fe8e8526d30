//! Record type of each table.

use crate::identity::Identity;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord,
    ContextLocation, DueEndpoint, EvidenceByExpiry, EvidenceSummary, EvidenceTotal, LinkRecord,
    PresentedInputIndex, Record, SigningKeyNumber, UnjudgedCheck,
};
use crate::table::Table;
use crate::verify::VerifyRecord;
use voight_domain::billing::PriceBook;
use voight_domain::check::{CheckCounts, Concluded, EvidenceBatch, SiteCounts};
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{
    Alert, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening,
};
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key, User};
use voight_domain::snapshot::{Snapshot, SnapshotSlice};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};
use voight_domain::webhooks::{DeliveryRecord, EndpointRecord};

/// Operation on a record whose type is known by its table only.
pub(crate) trait RecordTypeVisitor {
    /// Result of the operation.
    type Output;

    /// Runs the operation for records of type `R`.
    fn visit<R: VerifyRecord>(self) -> Self::Output;
}

/// Assigns a record type to each table. A table without one, or a type without a verification, does not compile.
macro_rules! record_tables {
    ($($table:ident: $record:ty $(, $property:ident)*;)*) => {
        $(impl Record for $record {
            const TABLE: Table = Table::$table;
        })*

        $($(record_tables!(@$property $record);)*)*

        /// Runs an operation for the record type of a table.
        pub(crate) fn visit_record_type<V: RecordTypeVisitor>(table: Table, visitor: V) -> V::Output {
            match table {
                $(Table::$table => visitor.visit::<$record>(),)*
            }
        }

        /// Returns `true` if the table is `unreferenced`.
        #[cfg(any(test, feature = "testing"))]
        pub fn is_unreferenced(table: Table) -> bool {
            match table {
                $(Table::$table => [$(stringify!($property)),*].contains(&"unreferenced"),)*
            }
        }
    };
    (@key_only $record:ty) => { impl VerifyRecord for $record {} };
    (@unreferenced $record:ty) => {};
}

// Of a `key_only` record, verification reads no other record than the context. To an `unreferenced` record no other record
// refers, so verification does not detect its loss: such records may all be deleted regularly, or be the last of a list.
record_tables! {
    Identity: Identity, key_only;
    Client: ClientRecord;
    Key: Key;
    KeyDigest: ApiKeyLocation;
    KeyOwner: ApiKeyIndex;
    ClientName: ClientNameIndex;
    ClientCount: ClientCount;
    ClientCounters: ClientCounters;
    Context: Context;
    ContextIndex: ContextLocation;
    Verdict: Verdict;
    Event: Event;
    PresentedInput: PresentedInputIndex, key_only, unreferenced;
    Concluded: Concluded, key_only, unreferenced;
    Meter: MeterState;
    Row: LedgerRow;
    Opening: Opening, unreferenced;
    Audit: AuditEntry;
    AuditHead: AuditHead;
    Tombstone: Tombstone, key_only, unreferenced;
    PriceBook: PriceBook;
    EndedPeriod: EndedPeriod;
    Invoice: Invoice;
    Adjustment: Adjustment;
    Account: Account;
    Alert: Alert;
    FingerprintPage: FingerprintPage, unreferenced;
    Cluster: LinkRecord, unreferenced;
    Label: Label, key_only, unreferenced;
    EvidenceHead: EvidenceSummary;
    Evidence: EvidenceBatch;
    Unsettled: UnjudgedCheck;
    EvidenceTotal: EvidenceTotal;
    EvidenceDue: EvidenceByExpiry;
    SigningKey: SigningKeyNumber, key_only;
    IdempotencyRecord: IdempotencyRecord, unreferenced;
    AdminToken: AdminToken;
    Snapshot: Snapshot;
    SnapshotSlice: SnapshotSlice;
    ClientEvent: ClientEvent;
    EventFeed: EventFeed;
    Endpoint: EndpointRecord;
    DueEndpoint: DueEndpoint;
    Delivery: DeliveryRecord;
    User: User;
    CheckCount: SiteCounts, key_only, unreferenced;
    CheckTotal: CheckCounts, key_only, unreferenced;
}
