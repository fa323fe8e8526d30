//! `voight store`.

mod backup;
mod backup_rule;
mod build;
mod compact;
mod copy;
mod info;
mod init;
mod migrate;
mod restore;
mod target;
mod verify;

pub(super) use backup_rule::backup_rule;

use super::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use crate::wiring::{BackupSummary, read_backup};
use clap::Subcommand;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

/// Commands of `voight store`.
#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
    /// Show the identity, the number of records and the size of the store
    Info(info::Info),
    /// Verify all records: checksums, encoding and references
    Verify(verify::Verify),
    /// Back up the store to one file, online or offline. The backup never contains the pepper
    Backup(backup::Backup),
    /// Restore the store of the data directory from a backup. An existing store is never replaced
    ///
    /// First copy the pepper of the backed-up store into the data directory, as the file `pepper`, or into `VOIGHT_PEPPER`: a
    /// backup that belongs to another pepper is then rejected.
    Restore(restore::Restore),
    /// Copy a store to a new location, optionally to another engine. The destination must be empty
    ///
    /// A store in files is copied offline, while no server runs on it; a store in a database is copied from one snapshot.
    Copy(copy::Copy),
    /// Create an empty store with its data directory and secrets. Does nothing if the store exists
    ///
    /// If URL is given, only the tables of a store are created in that database, as an empty destination for
    /// `voight store copy`.
    Init(init::Init),
    /// Apply pending schema migrations to a PostgreSQL store; --dry-run lists them
    Migrate(migrate::Migrate),
    /// Compact the store: rewrite its files, return free space and remove traces of deleted records
    Compact(compact::Compact),
}

impl StoreCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Info(command) => command.run(invocation),
            Self::Verify(command) => command.run(invocation),
            Self::Backup(command) => command.run(invocation),
            Self::Restore(command) => command.run(invocation),
            Self::Copy(command) => command.run(invocation),
            Self::Init(command) => command.run(invocation),
            Self::Migrate(command) => command.run(invocation),
            Self::Compact(command) => command.run(invocation),
        }
    }
}

/// Verifies the backup in a file, and opens the file at its start. An incomplete or damaged backup is rejected.
fn verified_backup(path: &Path) -> Result<(File, BackupSummary), CommandError> {
    let read = read_backup(BufReader::new(open(path)?));
    let summary = read.map_err(|error| CommandError::internal(format!("{}: {}", path.display(), error.message)))?;
    Ok((open(path)?, summary))
}

fn open(path: &Path) -> Result<File, CommandError> {
    File::open(path).map_err(|error| {
        let exit = if error.kind() == ErrorKind::NotFound { Exit::NotFound } else { Exit::Failure };
        CommandError::new(exit, format!("{} cannot be read ({error}); name a backup", path.display()))
    })
}
