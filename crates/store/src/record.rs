//! Which table each record is kept in, and the records that only embedded stores have.

mod client;
mod evidence;
mod index;

#[cfg(test)]
mod tests;

pub(crate) use client::{ClientTotal, Counts, NumberedClient};
pub(crate) use evidence::{EvidenceHead, EvidenceTotal};
pub(crate) use index::{
    Aged, ClaimEnd, ContextPlace, Due, InputOwner, KeyOwner, KeyPlace, NameOwner, SigningKeyNumber, Unsettled,
};
pub(crate) use voight_record::{Coded, Encoded, LinkRecord};

use crate::table::Table;
use voight_domain::billing::PriceBook;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::links::TracePage;
use voight_domain::metering::{Alert, EndedPeriod, LedgerRow, MeterState, Opening, StoredClaim};
use voight_domain::registry::{AuditEntry, AuditHead, Context, Key};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};

/// The version byte of every layout so far.
const VERSION: u8 = 1;

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
}
