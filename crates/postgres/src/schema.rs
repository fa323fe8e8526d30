//! Schema: recognises the tables of a store, and migrates them to the version of this release.

mod check;
pub(crate) mod distribution;
mod identity;
mod migrate;

pub(crate) use check::{DURABILITY, check_server, in_open};
pub use distribution::Distribution;
pub(crate) use distribution::is_distributed;
pub(crate) use identity::{IdentityInit, insert_singleton_rows, load_or_create};
pub use migrate::PendingMigration;
pub(crate) use migrate::{migrate, pending, refuse_unless_current};

/// Schema version of this release.
pub(crate) const VERSION: u32 = 5;

/// Migrations in order; the first creates the tables.
///
/// A released migration never changes: a test compares their checksums. Each statement is its own transaction, because
/// not every database has transactional DDL.
pub(crate) const MIGRATIONS: [&str; VERSION as usize] = [
    include_str!("../migrations/0001-first.sql"),
    include_str!("../migrations/0002-turn.sql"),
    include_str!("../migrations/0003-claims-in-runs.sql"),
    include_str!("../migrations/0004-evidence-shares.sql"),
    include_str!("../migrations/0005-admin-tokens.sql"),
];

/// Splits a migration into its statements.
pub(crate) fn statements(migration: &str) -> impl Iterator<Item = &str> {
    migration.split_inclusive(";\n").map(str::trim).filter(|statement| !statement.is_empty())
}

/// Returns the BLAKE3 checksum that identifies a migration.
pub(crate) fn checksum(migration: &str) -> [u8; 32] {
    *blake3::hash(migration.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_released_migration_never_changes() {
        let hashes = MIGRATIONS.map(|migration| data_encoding::HEXLOWER.encode(&checksum(migration)));
        let known = [
            "430916e0527a4ebe2b8876ddfdbf41b96fb49a50663b659a56aa555912170d39",
            "f5a345c1ad47a4c5f0b1095025c3ec2d5668f80a407779fd3ea7868f19daaed2",
            "e921208b86ad82b5ae81a5f896a456a1be5add11761dc5d8467fd48102e1c044",
            "412efe013452978258b89aa8458b45729188190e6bdfbbb32b36b5e7b9e80fe4",
            "5f04e102d7db55eb09b3a1f73054816aad5c2a958c45848f383d98e1ee183dd3",
        ];
        assert_eq!(hashes, known);
    }

    #[test]
    fn a_migration_is_split_into_its_statements() {
        let migration = "-- First; of two.\nCREATE TABLE a (\n    b bigint\n);\n\nCREATE INDEX c ON a (b);\n";
        let found: Vec<_> = statements(migration).collect();
        assert_eq!(found, ["-- First; of two.\nCREATE TABLE a (\n    b bigint\n);", "CREATE INDEX c ON a (b);"]);
    }
}
