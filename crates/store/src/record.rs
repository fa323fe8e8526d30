//! Which table each record is kept in.

pub(crate) use voight_record::ordered::{
    Aged, ClaimByDigest, ClaimEnd, ClientTotal, ContextPlace, Counts, Due, EvidenceHead, EvidenceTotal, InputOwner,
    KeyOwner, KeyPlace, NameOwner, NumberedClient, SigningKeyNumber, Unsettled,
};
pub(crate) use voight_record::{Coded, Encoded, LinkRecord};

use crate::table::Table;
use voight_domain::billing::PriceBook;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::links::TracePage;
use voight_domain::metering::{Alert, EndedPeriod, LedgerRow, MeterState, Opening, StoredClaim};
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};

/// A value with a table of its own.
pub(crate) trait Record: Encoded {
    /// The table it is kept in.
    const TABLE: Table;
}

macro_rules! kept {
    ($($record:ty, $table:ident;)*) => {$(
        impl Record for $record {
            const TABLE: Table = Table::$table;
        }
    )*};
}

kept! {
    Key, Key;
    Context, Context;
    Verdict, Verdict;
    Event, Event;
    Concluded, Concluded;
    MeterState, Meter;
    LedgerRow, Row;
    Opening, Opening;
    StoredClaim, Claim;
    AuditEntry, Audit;
    AuditHead, AuditHead;
    PriceBook, PriceBook;
    EndedPeriod, EndedPeriod;
    Invoice, Invoice;
    Adjustment, Adjustment;
    Account, Account;
    Alert, Alert;
    TracePage, Trace;
    LinkRecord, Cluster;
    Tombstone, Tombstone;
    Label, Label;
    EvidenceBatch, Evidence;
    NumberedClient, Client;
    ClientTotal, ClientTotal;
    Counts, Counts;
    KeyOwner, KeyOwner;
    KeyPlace, KeyDigest;
    ContextPlace, ContextPlace;
    NameOwner, ClientName;
    SigningKeyNumber, SigningKey;
    AdminToken, AdminToken;
    InputOwner, Input;
    EvidenceHead, EvidenceHead;
    EvidenceTotal, EvidenceTotal;
    ClaimByDigest, ClaimByDigest;
    ClaimEnd, ClaimEnd;
    Aged, EvidenceAge;
    Due, EvidenceDue;
    Unsettled, Unsettled;
}
