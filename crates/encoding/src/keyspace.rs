//! Ordered layout of a whole store: the tables, the parts of their keys, and the index records.
//!
//! Embedded stores are such an ordered map, and so is every dump, whatever store it comes from.

mod client;
mod evidence;
mod index;
mod key;
mod ledger_key;
mod segment;
mod table;

#[cfg(test)]
mod tests;

pub use client::{ClientCount, ClientCounters, ClientRecord};
pub use evidence::{EvidenceSummary, EvidenceTotal};
pub use index::{
    ApiKeyIndex, ApiKeyLocation, ClientNameIndex, ContextLocation, DueEndpoint, EvidenceByExpiry,
    PresentedInputIndex, SigningKeyNumber, UnjudgedCheck,
};
pub use key::{KeyField, build_key, from_sortable_bytes, parse_key, to_sortable_bytes};
pub use ledger_key::{
    LedgerPrefix, idempotency_key, ledger_key, ledger_prefix, meter_key, parse_idempotency_key,
    prefix_end, segment_prefix,
};
pub use segment::Segment;
pub use table::{ClientNumber, KeyPart, Table};
