//! Commit counter: the number of batches that a log must contain.
//!
//! sled takes the first damaged entry of its log for the torn end after a crash, and silently discards what follows.
//! Batches are therefore counted in the database with each batch, and in a file next to the log once a batch is
//! durable. A database with a lower count than its file has lost acknowledged batches.
//!
//! The file itself is not synced. A power failure may restore an older count, never a newer one, so an undamaged log is
//! never rejected.

use crate::error::SledError;
use crate::layout::counter_of;
use sled::{Db, Tree};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;
use voight_engine::open_private;

/// Tree of the batch count, with its one key.
pub(crate) const TREE: &[u8] = b"batches";
const KEY: &[u8] = b"counted";
/// Size of the count and its checksum.
const LENGTH: usize = 8 + 4;

/// Batch count of an open database.
pub(crate) struct CommitCounter {
    tree: Tree,
    file: File,
    counted: u64,
}

impl CommitCounter {
    /// Compares the count in the database with the counter file, and creates the file if it is missing.
    pub(crate) fn open(database: &Db, folder: &Path) -> Result<Self, SledError> {
        let tree = database.open_tree(TREE)?;
        let database_count = match tree.get(KEY)? {
            Some(bytes) => bytes
                .as_ref()
                .try_into()
                .map(u64::from_be_bytes)
                .map_err(|_| SledError::Mark)?,
            None => 0,
        };
        let file = open_private(&counter_of(folder));
        let file = file.map_err(SledError::Sync)?;
        let file_count = read(&file)?;
        if database_count < file_count {
            return Err(SledError::CutShort {
                counted: database_count,
                marked: file_count,
            });
        }
        let counter = Self {
            tree,
            file,
            counted: database_count,
        };
        counter.write(database_count)?;
        // Written now, so that later updates need no additional space.
        counter.file.sync_all().map_err(SledError::Sync)?;
        Ok(counter)
    }

    /// Increments the count in the database. Called after each batch is written, so that the count never includes a
    /// missing batch.
    pub(crate) fn count(&self) -> Result<(), SledError> {
        self.tree.insert(KEY, &(self.counted + 1).to_be_bytes())?;
        Ok(())
    }

    /// Updates the counter file to the last counted batch, which must be durable.
    pub(crate) fn advance(&mut self) -> Result<(), SledError> {
        self.write(self.counted + 1)?;
        self.counted += 1;
        Ok(())
    }

    fn write(&self, count: u64) -> Result<(), SledError> {
        let count = count.to_be_bytes();
        let mark = [&count[..], &crc32fast::hash(&count).to_be_bytes()].concat();
        self.file.write_all_at(&mark, 0).map_err(SledError::Sync)
    }
}

/// Returns `true` if the counter file exists and does not contain 0. A 0 comes from a process that died before its
/// first write; an unreadable file may contain any count.
pub(crate) fn has_commits(folder: &Path) -> bool {
    File::open(counter_of(folder)).is_ok_and(|file| !matches!(read(&file), Ok(0)))
}

/// Reads the count in the file. Returns 0 if the file is empty, as before the first write or after a power failure.
fn read(mut file: &File) -> Result<u64, SledError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(SledError::Sync)?;
    if bytes.iter().all(|byte| *byte == 0) {
        return Ok(0);
    }
    let content = <[u8; LENGTH]>::try_from(bytes).map_err(|_| SledError::Mark)?;
    match (content.first_chunk(), content.last_chunk()) {
        (Some(count), Some(sum)) if crc32fast::hash(count) == u32::from_be_bytes(*sum) => {
            Ok(u64::from_be_bytes(*count))
        }
        _ => Err(SledError::Mark),
    }
}
