//! Migrations of a release.

use crate::table::Table;
use voight_domain::ports::StoreError;
use voight_engine::{Batch, Read, checksum};

/// Record format of the first release.
pub(crate) const FIRST_FORMAT: u32 = 1;

/// Function that migrates one record of a table: the key, the encoded record, and a view of the main database.
///
/// It is called again for a record that it has migrated before, if the process was killed meanwhile, and then must
/// write nothing.
pub type MigrateRecord = fn(
    key: &[u8],
    record: &[u8],
    main: &dyn Read,
    changes: &mut MigratedRecords,
) -> Result<(), StoreError>;

/// Migration of the record format from one version to the next. A released migration is never changed.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Format before the migration.
    pub from: u32,
    /// Description of the change, for the log.
    pub description: &'static str,
    /// Table whose records are migrated.
    pub table: Table,
    /// Function that migrates one record.
    pub migrate: MigrateRecord,
}

/// Migrations of a release, oldest first.
#[derive(Debug, Clone, Copy)]
pub struct Migrations(pub(super) &'static [Migration]);

impl Migrations {
    /// Migrations of this release. There are none: it writes the first format.
    pub const RELEASED: Self = Self::new(&[]);

    /// Creates the list of migrations.
    ///
    /// # Panics
    ///
    /// If a migration does not begin with the format to which the previous one leads.
    pub const fn new(migrations: &'static [Migration]) -> Self {
        let mut remaining = migrations;
        while let [first, following @ ..] = remaining {
            if let [second, ..] = following {
                assert!(second.from == first.from + 1, "a format is left out");
            }
            remaining = following;
        }
        Self(migrations)
    }

    /// Returns the format of the release, to which the last migration leads.
    pub const fn format(self) -> u32 {
        match self.0 {
            [.., last] => last.from + 1,
            [] => FIRST_FORMAT,
        }
    }
}

/// Records that a migration writes and removes, in the database of the migrated table.
#[derive(Debug, Default)]
pub struct MigratedRecords(pub(super) Batch);

impl MigratedRecords {
    /// Writes an encoded record.
    pub fn put(&mut self, key: Vec<u8>, record: Vec<u8>) {
        let value = checksum::with_checksum(&key, record);
        self.0.put(key, value);
    }

    /// Removes the record at `key`.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.0.remove(key);
    }
}
