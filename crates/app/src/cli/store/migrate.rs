//! `voight store migrate`.

use super::target;
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::os::SystemClock;
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::wiring::{PendingMigration, Schema, migrate, pending_migrations, postgres_open_failure, with_password};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;

const WHEN_OPENED: &str = "it is migrated when a server or a command first opens it for writing, after a backup next to it; no command is needed";

/// Arguments of `voight store migrate`. Servers of this release and of the one before may run meanwhile.
#[derive(Debug, Args)]
pub(in crate::cli) struct Migrate {
    /// PostgreSQL store [default: the configured store]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
    /// Change nothing and list the pending migrations
    #[arg(long)]
    dry_run: bool,
}

/// Applied or, with `--dry-run`, pending migrations.
#[derive(Debug, Serialize)]
struct MigrateReport {
    store: String,
    dry_run: bool,
    migrations: Vec<MigrationLine>,
}

#[derive(Debug, Serialize)]
struct MigrationLine {
    version: u64,
    /// BLAKE3 hash of the migration's text.
    checksum: String,
    /// Number of statements that were not executed before.
    statements: u64,
}

impl From<PendingMigration> for MigrationLine {
    fn from(PendingMigration { version, checksum, done, statements }: PendingMigration) -> Self {
        Self { version, checksum: data_encoding::HEXLOWER.encode(&checksum), statements: statements - done }
    }
}

impl Migrate {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let store = target::resolve(invocation, self.url)?;
        let url = target::database(&store, WHEN_OPENED)?;
        let (url, clock) = (with_password(url), Arc::new(SystemClock));
        let migrations = if self.dry_run { pending_migrations } else { migrate }(&url, clock, Schema::RELEASED);
        let migrations = migrations.map_err(|error| postgres_open_failure(&error))?;
        let migrations = migrations.into_iter().map(MigrationLine::from).collect();
        let done = MigrateReport { store: store.to_string(), dry_run: self.dry_run, migrations };
        invocation.output.data(&done, text)
    }
}

fn text(done: &MigrateReport) -> String {
    if done.migrations.is_empty() {
        return format!("{} has this release's version.", done.store);
    }
    let mut table = Table::new(["MIGRATION", "STATEMENTS", "CHECKSUM"]);
    for MigrationLine { version, checksum, statements } in &done.migrations {
        table.row([&version.to_string(), &statements.to_string(), checksum]);
    }
    let what = if done.dry_run { "would be carried out; nothing was changed" } else { "were carried out" };
    format!("{table}\nThese {what}.")
}
