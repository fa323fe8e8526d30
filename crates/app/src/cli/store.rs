//! `voight store`.

mod backup;
#[cfg(feature = "server")]
mod compact;
#[cfg(feature = "server")]
mod copy;
mod info;
#[cfg(feature = "server")]
mod init;
#[cfg(feature = "server")]
mod migrate;
#[cfg(feature = "server")]
mod restore;
mod target;
#[cfg(feature = "server")]
mod verify;

use super::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use crate::wiring::{BackupSummary, ContentHash, read_backup};
use clap::Subcommand;
use serde::Serialize;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use voight_api::admin::TableLine;

/// Rule for backups, in the words of `docs/guides/back-up-and-restore.md`.
const BACKUP_RULE: &str = "Back up two things and keep them apart: the store, with `voight store backup`, and once \
the pepper. A backup does not contain the pepper, and without it a restored store opens no key.";

/// Commands of `voight store`.
#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
    /// Show the identity, the number of records and the size of the store
    Info(info::Info),
    #[cfg(feature = "server")]
    /// Verify all records: checksums, encoding and references
    Verify(verify::Verify),
    /// Back up the store to one file, online or offline. The backup never contains the pepper
    Backup(backup::Backup),
    #[cfg(feature = "server")]
    /// Restore the store of the data directory from a backup. An existing store is never replaced
    ///
    /// First copy the pepper of the backed-up store into the data directory, as the file `pepper`, or into `VOIGHT_PEPPER`: a
    /// backup that belongs to another pepper is then rejected.
    Restore(restore::Restore),
    #[cfg(feature = "server")]
    /// Copy a store to a new location, optionally to another engine. The destination must be empty
    ///
    /// A store in files is copied offline, while no server runs on it; a store in a database is copied from one snapshot.
    Copy(copy::Copy),
    #[cfg(feature = "server")]
    /// Create an empty store with its data directory and secrets. Does nothing if the store exists
    ///
    /// If URL is given, only the tables of a store are created in that database, as an empty destination for
    /// `voight store copy`.
    Init(init::Init),
    #[cfg(feature = "server")]
    /// Apply pending schema migrations to a PostgreSQL store; --dry-run lists them
    Migrate(migrate::Migrate),
    #[cfg(feature = "server")]
    /// Compact the store: rewrite its files, return free space and remove traces of deleted records
    Compact(compact::Compact),
}

impl StoreCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Info(command) => command.run(invocation),
            #[cfg(feature = "server")]
            Self::Verify(command) => command.run(invocation),
            Self::Backup(command) => command.run(invocation),
            #[cfg(feature = "server")]
            Self::Restore(command) => command.run(invocation),
            #[cfg(feature = "server")]
            Self::Copy(command) => command.run(invocation),
            #[cfg(feature = "server")]
            Self::Init(command) => command.run(invocation),
            #[cfg(feature = "server")]
            Self::Migrate(command) => command.run(invocation),
            #[cfg(feature = "server")]
            Self::Compact(command) => command.run(invocation),
        }
    }
}

/// Returns the rule for backups with the path of the pepper.
pub(super) fn backup_rule(pepper: &Path) -> String {
    format!("{BACKUP_RULE} The pepper is in {}.", pepper.display())
}

/// Content summaries of the source and of the new store, which are equal.
#[derive(Debug, Serialize)]
struct BuildReport {
    store: String,
    from: ContentHash,
    to: ContentHash,
    /// Of a copy: the moment that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<&'static str>,
}

impl BuildReport {
    /// Prints the content summary of a new store.
    fn print(&self, invocation: &Invocation) -> Result<(), CommandError> {
        invocation.output.data(self, |report| {
            let mut table = Table::new(["", "ROWS", "HASH"]);
            table.row(["from", &report.from.rows.to_string(), &report.from.hash]);
            table.row(["to", &report.to.rows.to_string(), &report.to.hash]);
            table
        })
    }
}

/// Formats the sizes of tables.
fn tables(lines: &[TableLine]) -> Table {
    let mut table = Table::new(["TABLE", "ROWS", "BYTES"]);
    for line in lines {
        table.row([
            line.table.as_str(),
            &line.rows.to_string(),
            &line.bytes.to_string(),
        ]);
    }
    table
}

/// Verifies the backup in a file, and opens the file at its start. An incomplete or damaged backup is rejected.
fn verified_backup(path: &Path) -> Result<(File, BackupSummary), CommandError> {
    let backup = read_backup(BufReader::new(open(path)?));
    let summary = backup.map_err(|error| {
        CommandError::internal(format!("{}: {}", path.display(), error.message))
    })?;
    Ok((open(path)?, summary))
}

fn open(path: &Path) -> Result<File, CommandError> {
    File::open(path).map_err(|error| {
        let exit = if error.kind() == ErrorKind::NotFound {
            Exit::NotFound
        } else {
            Exit::Failure
        };
        CommandError::new(
            exit,
            format!("{} cannot be read ({error}); name a backup", path.display()),
        )
    })
}
