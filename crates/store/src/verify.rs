//! Looking at every record: its checksum, its layout, and whether what it leads to is there.
//!
//! A [`Verifier`] goes through one database in slices. Each slice reads from one snapshot, and each record is compared with
//! others of the same snapshot only, so a walk over a store that is being written to finds no damage where there is none.

mod audit;
mod billing;
mod check;
mod evidence;
mod ledger;
mod links;
mod registry;
mod verdicts;
mod walk;
mod whole;

pub(crate) use check::layout;
pub use walk::{DatabaseKind, Verifier, count_rows};
pub use whole::verify;

use crate::table::Table;
use voight_domain::ports::StoreError;

/// Damages that are described; more are only counted.
const MAX_DESCRIBED: usize = 1000;

/// What a walk has seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Every table with records in it, in the order of the keys.
    pub tables: Vec<TableReport>,
    /// Damages found.
    pub damaged: u64,
    /// What they are, at most a thousand.
    pub damage: Vec<Damage>,
}

/// The records of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableReport {
    /// The table's name.
    pub table: &'static str,
    /// How many records.
    pub rows: u64,
    /// The bytes of their keys and values.
    pub bytes: u64,
}

/// A record that is not as it was written, or that does not fit the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The table.
    pub table: &'static str,
    /// The first 16 hexadecimal digits of the BLAKE3 of the key; keys hold addresses.
    pub key_digest: String,
    /// What is wrong with it.
    pub what: String,
}

impl VerifyReport {
    /// Records seen, in all tables.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Adds what another walk has seen.
    pub fn absorb(&mut self, other: Self) {
        self.tables.extend(other.tables);
        self.damaged += other.damaged;
        self.damage.extend(other.damage);
        self.damage.truncate(MAX_DESCRIBED);
    }

    /// Adds damage that concerns a database as a whole.
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
            self.tables.push(TableReport { table: name, rows: 0, bytes: 0 });
        }
        if let Some(last) = self.tables.last_mut() {
            last.rows += 1;
            last.bytes += bytes as u64;
        }
    }

    fn add(&mut self, table: &'static str, key: &[u8], what: String) {
        self.damaged += 1;
        if self.damage.len() < MAX_DESCRIBED {
            self.damage.push(Damage { table, key_digest: crate::envelope::digest(key), what });
        }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "table {}, key digest {}: {}", self.table, self.key_digest, self.what)
    }
}

/// What is wrong with the record at hand.
fn corrupt(what: impl Into<String>) -> StoreError {
    StoreError::Corrupt(what.into())
}

/// Passes if `holds`.
fn ensure(holds: bool, what: &str) -> Result<(), StoreError> {
    if holds { Ok(()) } else { Err(corrupt(what)) }
}
