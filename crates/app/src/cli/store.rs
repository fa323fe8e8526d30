//! `voight store`.

mod backup;
mod backup_rule;
mod building;
mod compact;
mod copy;
mod info;
mod init;
mod migrate;
mod place;
mod restore;
mod verify;

pub(super) use backup_rule::backup_rule;

use super::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use crate::wiring::open_failure;
use clap::Subcommand;
use serde::Serialize;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use voight_store::{DumpSummary, Identity, RestoreError, read_dump};

/// The store: look at it, check it, back it up, restore and copy it.
#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
    /// Show which store it is, how much is in it, and how large it is
    Info(info::Info),
    /// Look at every record: its checksum, its layout, and whether what it leads to is there
    Verify(verify::Verify),
    /// Write everything in the store into one file, while it is in use or not; never the pepper
    Backup(backup::Backup),
    /// Restore the store of the data directory from a backup, where no store is
    Restore(restore::Restore),
    /// Copy a store to a place where none is, on the same engine or another
    Copy(copy::Copy),
    /// Create an empty store with its data directory and secrets, or only the tables in a database
    Init(init::Init),
    /// Bring the tables of a store in a database to this release's version, or show what that would do
    Migrate(migrate::Migrate),
    /// Write a store's files anew: unused space goes back, and nothing of what was removed is left
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

/// What shows that two stores hold the same.
#[derive(Debug, Serialize)]
struct ContentHash {
    /// Records.
    rows: u64,
    /// BLAKE3 over the store's dump.
    hash: String,
}

impl From<DumpSummary> for ContentHash {
    fn from(summary: DumpSummary) -> Self {
        Self { rows: summary.rows, hash: summary.hash_text() }
    }
}

/// The backup in a file, read to its end, and the file at its beginning again: half a backup is of no use.
fn whole_backup(path: &Path) -> Result<(File, (Identity, DumpSummary)), CommandError> {
    let read = read_dump(BufReader::new(open(path)?));
    let found = read.map_err(|error| failure(&error.into(), &path.display().to_string()))?;
    Ok((open(path)?, found))
}

fn open(path: &Path) -> Result<File, CommandError> {
    File::open(path).map_err(|error| {
        let exit = if error.kind() == ErrorKind::NotFound { Exit::NotFound } else { Exit::Failure };
        CommandError::new(exit, format!("{} cannot be read ({error}); name a backup", path.display()))
    })
}

/// Names the source where the source is at fault.
fn failure(error: &RestoreError, source: &str) -> CommandError {
    match error {
        RestoreError::Open(error) => open_failure(error),
        RestoreError::Occupied { .. } => CommandError::configuration(error.to_string()),
        RestoreError::Dump(error) => CommandError::internal(format!("{source}: {error}")),
        RestoreError::ContentMismatch => CommandError::internal(error.to_string()),
    }
}
