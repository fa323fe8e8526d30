//! File of the log.
//!
//! One page of header, then a ring of entries. The whole file is zeroed before use: a durable write to blocks that were
//! never written takes the file system half as long again.

use super::entry::{LogId, PAGE};
use crate::atomic_file::{open_folder_of, open_private};
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

pub(super) const MAGIC: [u8; 8] = *b"voightlg";
pub(super) const HEAD: u64 = PAGE as u64;

/// Open file of a log and its directory. Both are opened before the first write, which then needs no new file
/// descriptor.
#[derive(Debug)]
pub(super) struct LogPlace {
    file: Arc<File>,
    folder: File,
}

/// Log that is being written.
#[derive(Debug)]
pub(super) struct LogFile {
    file: Arc<File>,
    id: LogId,
}

impl LogPlace {
    /// Opens the file at `path`, or creates an empty one.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let folder = open_folder_of(path)?;
        Ok(Self {
            file: Arc::new(open_private(path)?),
            folder,
        })
    }

    /// Returns `true` if nothing was ever written to the file.
    pub(super) fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }
}

impl LogFile {
    /// Creates an empty log at `place` with a ring of `ring` bytes. An existing file of that size keeps its sectors,
    /// whose entry numbers are lower than those of all new entries.
    pub(super) fn create(place: &LogPlace, ring: u64) -> io::Result<Self> {
        let file = Arc::clone(&place.file);
        if file.metadata()?.len() != HEAD + ring {
            file.set_len(0)?;
            file.write_all_at(
                &vec![0; usize::try_from(HEAD + ring).map_err(io::Error::other)?],
                0,
            )?;
        }
        let id = identify(&file)?;
        file.write_all_at(&head(&id, ring), 0)?;
        file.sync_all()?;
        place.folder.sync_all()?;
        Ok(Self { file, id })
    }

    /// Redirects all further writes to another file.
    #[cfg(test)]
    pub(super) fn redirect(&mut self, file: File) {
        self.file = Arc::new(file);
    }

    pub(super) const fn id(&self) -> &LogId {
        &self.id
    }

    /// Writes an entry at `offset` of the ring.
    pub(super) fn write(&self, offset: u64, entry: &[u8]) -> io::Result<()> {
        self.file.write_all_at(entry, HEAD + offset)
    }

    /// Makes all written entries durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Returns the header of a log with a ring of `ring` bytes.
pub(super) fn head(id: &LogId, ring: u64) -> Vec<u8> {
    [&MAGIC[..], id, &ring.to_be_bytes()].concat()
}

/// Derives a unique log id from the metadata of the file: device, inode and modification time.
fn identify(file: &File) -> io::Result<LogId> {
    let metadata = file.metadata()?;
    let facts = [
        metadata.dev(),
        metadata.ino(),
        metadata.mtime().cast_unsigned(),
        metadata.mtime_nsec().cast_unsigned(),
    ];
    let hash = blake3::hash(&facts.map(u64::to_be_bytes).concat());
    let mut id = LogId::default();
    let length = id.len();
    id.copy_from_slice(&hash.as_bytes()[..length]);
    Ok(id)
}
