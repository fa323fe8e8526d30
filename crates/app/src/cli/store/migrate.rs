//! `voight store migrate`.

use super::target;
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::output::Table;
use crate::wiring::{MigrationLine, StoreUrl, list_pending_migrations, migrate_tables};
use clap::Args;
use serde::Serialize;

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

impl Migrate {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let store = target::resolve(invocation, self.url)?;
        let list_or_migrate = if self.dry_run {
            list_pending_migrations
        } else {
            migrate_tables
        };
        let migrations = list_or_migrate(&store, WHEN_OPENED)?;
        let report = MigrateReport {
            store: store.to_string(),
            dry_run: self.dry_run,
            migrations,
        };
        invocation.output.data(&report, text)
    }
}

fn text(report: &MigrateReport) -> String {
    if report.migrations.is_empty() {
        return format!("{} has this release's version.", report.store);
    }
    let mut table = Table::new(["MIGRATION", "STATEMENTS", "CHECKSUM"]);
    for MigrationLine {
        version,
        checksum,
        statements,
    } in &report.migrations
    {
        table.row([&version.to_string(), &statements.to_string(), checksum]);
    }
    let outcome = if report.dry_run {
        "would be carried out; nothing was changed"
    } else {
        "were carried out"
    };
    format!("{table}\nThese {outcome}.")
}
