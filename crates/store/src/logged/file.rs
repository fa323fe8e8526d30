//! The file of the log.
//!
//! A head of one page, and a ring of entries. All of it is written with zeros before it is used: to make a write durable
//! where nothing was ever written takes the file system half as long again.

use super::entry::{LogId, PAGE};
use crate::identity::open_folder_of;
use crate::open_private;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

pub(super) const MAGIC: [u8; 8] = *b"voightlg";
pub(super) const HEAD: u64 = PAGE as u64;

/// The file of a log and its directory, open before anything is written: no write needs a file descriptor.
#[derive(Debug)]
pub(super) struct LogPlace {
    file: Arc<File>,
    folder: File,
}

/// A log that is written to.
#[derive(Debug)]
pub(super) struct LogFile {
    file: Arc<File>,
    id: LogId,
}

impl LogPlace {
    /// Opens the file at `path`, or creates an empty one.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let folder = open_folder_of(path)?;
        Ok(Self { file: Arc::new(open_private(path)?), folder })
    }

    /// Returns `true` if nothing was ever written to the file.
    pub(super) fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }
}

impl LogFile {
    /// Makes an empty log with a ring of so many bytes at `place`. One that is there already keeps its sectors, which have
    /// lower numbers than any that is written from now on.
    pub(super) fn create(place: &LogPlace, ring: u64) -> io::Result<Self> {
        let file = Arc::clone(&place.file);
        if file.metadata()?.len() != HEAD + ring {
            file.set_len(0)?;
            file.write_all_at(&vec![0; usize::try_from(HEAD + ring).map_err(io::Error::other)?], 0)?;
        }
        let id = identify(&file)?;
        file.write_all_at(&head(&id, ring), 0)?;
        file.sync_all()?;
        place.folder.sync_all()?;
        Ok(Self { file, id })
    }

    /// Writes to another file from now on.
    #[cfg(test)]
    pub(super) fn redirect(&mut self, file: File) {
        self.file = Arc::new(file);
    }

    pub(super) const fn id(&self) -> &LogId {
        &self.id
    }

    /// Writes an entry at this offset of the ring.
    pub(super) fn write(&self, offset: u64, entry: &[u8]) -> io::Result<()> {
        self.file.write_all_at(entry, HEAD + offset)
    }

    /// Makes everything durable that was written.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// What a log with a ring of so many bytes begins with.
pub(super) fn head(id: &LogId, ring: u64) -> Vec<u8> {
    [&MAGIC[..], id, &ring.to_be_bytes()].concat()
}

/// What tells this log from every other one: what the file system says of it.
fn identify(file: &File) -> io::Result<LogId> {
    let found = file.metadata()?;
    let facts = [found.dev(), found.ino(), found.mtime().cast_unsigned(), found.mtime_nsec().cast_unsigned()];
    let hash = blake3::hash(&facts.map(u64::to_be_bytes).concat());
    let mut id = LogId::default();
    let length = id.len();
    id.copy_from_slice(&hash.as_bytes()[..length]);
    Ok(id)
}
