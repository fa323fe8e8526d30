//! A whole store as one ordered map: the tables, what keys are made of, and the records that only lead from one key to another.
//!
//! Stores on one machine are such a map, and so is every dump, whatever store it is of.

mod client;
mod evidence;
mod index;
mod key;
mod run;
mod table;

#[cfg(test)]
mod tests;

pub use client::{ClientCount, ClientCounters, ClientRecord};
pub use evidence::{EvidenceSummary, EvidenceTotal};
pub use index::{
    ApiKeyIndex, ApiKeyLocation, ClaimEnd, ClientNameIndex, ContextLocation, EvidenceByAge, EvidenceByExpiry,
    PresentedInputIndex, SigningKeyNumber, UnjudgedCheck,
};
pub use key::{KeyField, build_key, from_sortable_bytes, parse_key, to_sortable_bytes};
pub use run::{ClaimByDigest, Segment};
pub use table::{ClientNumber, KeyPart, Table};
