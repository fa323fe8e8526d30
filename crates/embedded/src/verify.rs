//! Verifies every record: its checksum, its encoding, and the records that it refers to.
//!
//! A [`Verifier`] scans one database in batches. Each batch reads from one snapshot, and a record is compared only with
//! others of the same snapshot, so verification of a store in use reports no false damage.

mod audit;
mod billing;
mod endpoints;
mod events;
mod evidence;
mod key;
mod ledger;
mod links;
mod offline;
mod record;
mod registry;
mod snapshots;
mod state;
mod verdicts;
mod verifier;

pub use offline::verify;
pub(crate) use record::VerifyRecord;
pub(crate) use verifier::layout;
pub use verifier::{DatabaseKind, Verifier, count_rows};

use crate::table::Table;
use voight_domain::ports::StoreError;

/// Maximum number of damaged records that are described. Further ones are only counted.
const MAX_DESCRIBED: usize = 1000;

/// Result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Report on each table that contains records, in key order.
    pub tables: Vec<TableReport>,
    /// Number of damaged records.
    pub damaged: u64,
    /// Descriptions of the damage, at most 1,000.
    pub damage: Vec<Damage>,
}

/// Report on one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableReport {
    /// Name of the table.
    pub table: &'static str,
    /// Number of records.
    pub rows: u64,
    /// Total size of keys and values in bytes.
    pub bytes: u64,
}

/// Record that was changed after it was written, or that is inconsistent with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Name of the table.
    pub table: &'static str,
    /// First 16 hexadecimal digits of the BLAKE3 hash of the key, because keys contain addresses.
    pub key_digest: String,
    /// Description of the damage.
    pub what: String,
}

impl VerifyReport {
    /// Returns the number of verified records in all tables.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Adds the result of another verification.
    pub fn absorb(&mut self, other: Self) {
        self.tables.extend(other.tables);
        self.damaged += other.damaged;
        self.damage.extend(other.damage);
        self.damage.truncate(MAX_DESCRIBED);
    }

    /// Adds damage that concerns a whole database.
    pub fn add_structure(&mut self, part: DatabaseKind, what: impl Into<String>) {
        let table = match part {
            DatabaseKind::Main => "all of the main database",
            DatabaseKind::Evidence => "all of the evidence",
        };
        self.add(table, &[], what.into());
    }

    fn count(&mut self, table: Table, bytes: usize) {
        let name = table.name();
        if self.tables.last().is_none_or(|last| last.table != name) {
            self.tables.push(TableReport {
                table: name,
                rows: 0,
                bytes: 0,
            });
        }
        if let Some(last) = self.tables.last_mut() {
            last.rows += 1;
            last.bytes += bytes as u64;
        }
    }

    fn add(&mut self, table: &'static str, key: &[u8], what: String) {
        self.damaged += 1;
        if self.damage.len() < MAX_DESCRIBED {
            self.damage.push(Damage {
                table,
                key_digest: voight_engine::checksum::digest(key),
                what,
            });
        }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "table {}, key digest {}: {}",
            self.table, self.key_digest, self.what
        )
    }
}

/// Returns the error that describes damage to the current record.
fn corrupt(what: impl Into<String>) -> StoreError {
    StoreError::Corrupt(what.into())
}

/// Returns an error that describes the damage unless `holds`.
fn ensure(holds: bool, what: &str) -> Result<(), StoreError> {
    if holds { Ok(()) } else { Err(corrupt(what)) }
}
