//! Table of each record type.

pub(crate) use voight_encoding::keyspace::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord, ContextLocation,
    EvidenceByExpiry, EvidenceSummary, EvidenceTotal, PresentedInputIndex, SigningKeyNumber, UnjudgedCheck,
};
pub(crate) use voight_encoding::{ByteEnum, Encode, LinkRecord};

use crate::table::Table;
use voight_domain::billing::PriceBook;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{Alert, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening};
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};

/// Value with a table of its own.
pub(crate) trait Record: Encode {
    /// Table that stores values of this type.
    const TABLE: Table;
}

macro_rules! record_tables {
    ($($record:ty, $table:ident;)*) => {$(
        impl Record for $record {
            const TABLE: Table = Table::$table;
        }
    )*};
}

record_tables! {
    Key, Key;
    Context, Context;
    Verdict, Verdict;
    Event, Event;
    Concluded, Concluded;
    MeterState, Meter;
    LedgerRow, Row;
    Opening, Opening;
    IdempotencyRecord, IdempotencyRecord;
    AuditEntry, Audit;
    AuditHead, AuditHead;
    PriceBook, PriceBook;
    EndedPeriod, EndedPeriod;
    Invoice, Invoice;
    Adjustment, Adjustment;
    Account, Account;
    Alert, Alert;
    FingerprintPage, FingerprintPage;
    LinkRecord, Cluster;
    Tombstone, Tombstone;
    Label, Label;
    EvidenceBatch, Evidence;
    ClientRecord, Client;
    ClientCount, ClientCount;
    ClientCounters, ClientCounters;
    ApiKeyIndex, KeyOwner;
    ApiKeyLocation, KeyDigest;
    ContextLocation, ContextIndex;
    ClientNameIndex, ClientName;
    SigningKeyNumber, SigningKey;
    AdminToken, AdminToken;
    PresentedInputIndex, PresentedInput;
    EvidenceSummary, EvidenceHead;
    EvidenceTotal, EvidenceTotal;
    EvidenceByExpiry, EvidenceDue;
    UnjudgedCheck, Unsettled;
}
