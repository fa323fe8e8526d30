//! Record type of each table.

use crate::identity::Identity;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord, ContextLocation,
    EvidenceByExpiry, EvidenceSummary, EvidenceTotal, LinkRecord, PresentedInputIndex, Record, SigningKeyNumber,
    UnjudgedCheck,
};
use crate::table::Table;
use crate::verify::VerifyRecord;
use voight_domain::billing::PriceBook;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{Alert, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening};
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};

/// Operation on a record whose type is known by its table only.
pub(crate) trait RecordTypeVisitor {
    /// Result of the operation.
    type Output;

    /// Runs the operation for records of type `R`.
    fn visit<R: VerifyRecord>(self) -> Self::Output;
}

/// Assigns a record type to each table. A table without one, or a type without a verification, does not compile.
macro_rules! record_tables {
    ($($table:ident: $record:ty $(, $key_only:ident)?;)*) => {
        $(impl Record for $record {
            const TABLE: Table = Table::$table;
        })*

        $($(record_tables!(@$key_only $record);)?)*

        /// Runs an operation for the record type of a table.
        pub(crate) fn visit_record_type<V: RecordTypeVisitor>(table: Table, visitor: V) -> V::Output {
            match table {
                $(Table::$table => visitor.visit::<$record>(),)*
            }
        }
    };
    (@key_only $record:ty) => { impl VerifyRecord for $record {} };
}

// Of a record with `key_only`, verification reads no other record than the context.
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
    PresentedInput: PresentedInputIndex, key_only;
    Concluded: Concluded, key_only;
    Meter: MeterState;
    Row: LedgerRow;
    Opening: Opening;
    Audit: AuditEntry;
    AuditHead: AuditHead;
    Tombstone: Tombstone, key_only;
    PriceBook: PriceBook;
    EndedPeriod: EndedPeriod;
    Invoice: Invoice;
    Adjustment: Adjustment;
    Account: Account;
    Alert: Alert;
    FingerprintPage: FingerprintPage;
    Cluster: LinkRecord;
    Label: Label, key_only;
    EvidenceHead: EvidenceSummary;
    Evidence: EvidenceBatch;
    Unsettled: UnjudgedCheck;
    EvidenceTotal: EvidenceTotal;
    EvidenceDue: EvidenceByExpiry;
    SigningKey: SigningKeyNumber, key_only;
    IdempotencyRecord: IdempotencyRecord;
    AdminToken: AdminToken;
}
