//! Schema: recognises the tables of a store, and migrates them to the version of this release.

mod check;
pub(crate) mod distribution;
mod identity;
mod migrate;

pub(crate) use check::{DURABILITY, check_server, in_open};
pub(crate) use distribution::is_distributed;
pub(crate) use identity::{IdentityInit, insert_singleton_rows, load_or_create};
pub use migrate::PendingMigration;
pub(crate) use migrate::{ensure_current, migrate, pending};

use crate::sql::tables::{DISTRIBUTED_TABLES, Distribution};

/// Migrations of a release, and the tables that they create.
///
/// A released migration never changes: a test compares its checksum. Each statement is its own transaction, because not
/// every database has transactional DDL.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    migrations: &'static [&'static str],
    tables: &'static [(&'static str, Distribution)],
}

impl Schema {
    /// Schema of this release.
    pub const RELEASED: Self = Self::new(
        &[
            include_str!("../migrations/0001-tables.sql"),
            include_str!("../migrations/0002-client-events.sql"),
            include_str!("../migrations/0003-webhooks.sql"),
            include_str!("../migrations/0004-check-counts.sql"),
            include_str!("../migrations/0005-users.sql"),
        ],
        DISTRIBUTED_TABLES,
    );

    /// Creates a schema from its migrations in order, and every table with its distribution in a cluster.
    pub const fn new(
        migrations: &'static [&'static str],
        tables: &'static [(&'static str, Distribution)],
    ) -> Self {
        Self { migrations, tables }
    }

    /// Returns the migrations in order; the first creates the tables.
    pub const fn migrations(self) -> &'static [&'static str] {
        self.migrations
    }

    /// Returns every table with its distribution, in the order in which tables are distributed.
    pub const fn tables(self) -> &'static [(&'static str, Distribution)] {
        self.tables
    }

    /// Returns the version of the schema: the number of its migrations.
    pub const fn version(self) -> u32 {
        let mut version = 0;
        let mut remaining = self.migrations;
        while let [_, later @ ..] = remaining {
            (version, remaining) = (version + 1, later);
        }
        version
    }
}

/// Splits a migration into its statements.
pub(crate) fn statements(migration: &str) -> impl Iterator<Item = &str> {
    migration
        .split_inclusive(";\n")
        .map(str::trim)
        .filter(|statement| !statement.is_empty())
}

/// Returns the BLAKE3 checksum that identifies a migration.
pub(crate) fn checksum(migration: &str) -> [u8; 32] {
    *blake3::hash(migration.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_migration_never_changes() {
        let migrations = Schema::RELEASED.migrations().iter();
        let hashes: Vec<_> = migrations
            .map(|migration| data_encoding::HEXLOWER.encode(&checksum(migration)))
            .collect();
        let released_hashes = [
            "30f8d6a1680a9c3d89da55ed7402df5dcce07202c008702fd0f5a3a5eb2efb0a",
            "506f3941eedbe91ac994ef874f27141aa8aa6612c47ebb0339e0964f110a4da6",
            "a6974ab6249d677d480357081c4b83c48e2837185758b7ebf79a7e93b72d5cbe",
            "72859d11214f298f72a074a07bc7a9eb8692ac9e50d48e33cd85449b998078ec",
            "012891ded66cb4744fbaf73063a27220cc231a3aaaa697f00441f35b252dcd72",
        ];
        assert_eq!(hashes, released_hashes);
    }

    #[test]
    fn version_is_the_number_of_migrations() {
        assert_eq!(Schema::RELEASED.version(), 5);
        assert_eq!(Schema::new(&["a", "b", "c"], &[]).version(), 3);
    }

    #[test]
    fn migration_is_split_into_statements() {
        let migration =
            "-- First; of two.\nCREATE TABLE a (\n    b bigint\n);\n\nCREATE INDEX c ON a (b);\n";
        let split_statements: Vec<_> = statements(migration).collect();
        assert_eq!(
            split_statements,
            [
                "-- First; of two.\nCREATE TABLE a (\n    b bigint\n);",
                "CREATE INDEX c ON a (b);"
            ]
        );
    }
}
