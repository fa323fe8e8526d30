//! How far a log has to reach.
//!
//! sled takes the first damaged entry of its log for the end that a crash has torn, and forgets what follows without a word.
//! So batches are counted: in the database with each batch, and beside the log once a batch is durable. A database that
//! has counted fewer batches than its mark has lost some that were acknowledged.
//!
//! The mark itself is not synced. A power cut may turn it back, never forward, so it does not refuse a log that is whole.

use crate::error::SledError;
use sled::{Db, Tree};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use voight_store::open_private;

/// The file in the folder of a database.
pub(crate) const FILE_NAME: &str = "mark";
/// The tree that holds nothing but the count, and its one key.
pub(crate) const TREE: &[u8] = b"batches";
const KEY: &[u8] = b"counted";
/// The count, and its checksum.
const LENGTH: usize = 8 + 4;

/// The count of the batches in a database that is open.
pub(crate) struct CommitCounter {
    tree: Tree,
    file: File,
    counted: u64,
}

impl CommitCounter {
    /// Compares the count in the database with the mark in its folder, which is made if it is not there.
    pub(crate) fn open(database: &Db, folder: &Path) -> Result<Self, SledError> {
        let tree = database.open_tree(TREE)?;
        let counted = match tree.get(KEY)? {
            Some(bytes) => bytes.as_ref().try_into().map(u64::from_be_bytes).map_err(|_| SledError::Mark)?,
            None => 0,
        };
        let file = open_private(&path_in(folder));
        let file = file.map_err(SledError::Sync)?;
        let marked = read(&file)?;
        if counted < marked {
            return Err(SledError::CutShort { counted, marked });
        }
        let mark = Self { tree, file, counted };
        mark.write(counted)?;
        // So that a later write needs no space.
        mark.file.sync_all().map_err(SledError::Sync)?;
        Ok(mark)
    }

    /// Counts a batch in the database. Written after the batch, so that the count is never there without it.
    pub(crate) fn count(&self) -> Result<(), SledError> {
        self.tree.insert(KEY, &(self.counted + 1).to_be_bytes())?;
        Ok(())
    }

    /// Moves the mark behind the batch that was counted last, which has to be durable.
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

/// Whether there is a mark that any batch has passed. One that counts none was made with the folder, by a process that died
/// before it wrote anything; one that cannot be read may count some.
pub(crate) fn has_commits(folder: &Path) -> bool {
    File::open(path_in(folder)).is_ok_and(|file| !matches!(read(&file), Ok(0)))
}

/// Where the mark lies.
pub(crate) fn path_in(folder: &Path) -> PathBuf {
    folder.join(FILE_NAME)
}

/// The count in the file. It is 0 where nothing was written yet, or where a power cut has left nothing of it.
fn read(mut file: &File) -> Result<u64, SledError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(SledError::Sync)?;
    if bytes.iter().all(|byte| *byte == 0) {
        return Ok(0);
    }
    let whole = <[u8; LENGTH]>::try_from(bytes).map_err(|_| SledError::Mark)?;
    match (whole.first_chunk(), whole.last_chunk()) {
        (Some(count), Some(sum)) if crc32fast::hash(count) == u32::from_be_bytes(*sum) => {
            Ok(u64::from_be_bytes(*count))
        }
        _ => Err(SledError::Mark),
    }
}
