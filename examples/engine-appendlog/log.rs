//! File of the log: opened, replayed, appended to.

use super::frame;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use voight_engine::{Batch, OpenError, sync_folder_of};

/// Header of the file; the number is the version of its layout.
const HEADER: &[u8] = b"voight append log 1\n";

/// Contents of the file, as of its last frame.
pub(super) type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// Open file. It is locked while it is open.
pub(super) struct Log {
    file: File,
    /// End of the last frame that is known to be on the disk.
    end: u64,
    /// `true` if the file may extend beyond that end because an append failed.
    torn: bool,
}

impl Log {
    /// Returns `true` if the file does not exist, or has no frame.
    pub(super) fn is_missing(path: &Path) -> Result<bool, OpenError> {
        let mut start = Vec::new();
        let length = HEADER.len() as u64 + 1;
        match File::open(path).and_then(|file| file.take(length).read_to_end(&mut start)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(OpenError::io(path.display(), error)),
            Ok(_) if HEADER.starts_with(&start) => Ok(true),
            Ok(_) if start.starts_with(HEADER) => Ok(false),
            Ok(_) => Err(OpenError::NotAStore {
                place: path.display().to_string(),
            }),
        }
    }

    /// Opens the file, or creates it, and replays it.
    pub(super) fn open(path: &Path) -> Result<(Self, Map), OpenError> {
        let io_error = |error| OpenError::io(path.display(), error);
        if Self::is_missing(path)? {
            begin(path).map_err(io_error)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(io_error)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse {
                    place: path.display().to_string(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(io_error(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io_error)?;
        let (map, end) =
            replay(&bytes).map_err(|damage| OpenError::damaged(path.display(), damage))?;
        let mut log = Self {
            file,
            end,
            torn: true,
        };
        log.cut().map_err(io_error)?;
        Ok((log, map))
    }

    /// Appends a frame and syncs it. After an error, appends fail until the file was [cut](Self::cut).
    pub(super) fn append(&mut self, batch: &Batch) -> io::Result<()> {
        if self.torn {
            return Err(io::Error::other("the append before this one failed"));
        }
        let frame = frame::write(self.end, batch)
            .ok_or_else(|| io::Error::other("the batch is too long"))?;
        self.torn = true;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&frame)?;
        self.file.sync_data()?;
        self.end += frame.len() as u64;
        self.torn = false;
        Ok(())
    }

    /// Cuts off everything behind the last frame.
    pub(super) fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.sync_all()?;
        self.torn = false;
        Ok(())
    }
}

/// Creates a file without a frame.
fn begin(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    file.write_all(HEADER)?;
    file.sync_all()?;
    // A file whose name is not on the disk is lost by a power cut, even if its contents were synced.
    sync_folder_of(path)
}

/// Returns the contents of the frames, and the end of the last complete one.
///
/// Each frame was on the disk before the next was written, so only the last can be torn: an unreadable frame before a complete
/// one is damage.
fn replay(file: &[u8]) -> Result<(Map, u64), String> {
    let mut map = Map::new();
    let mut unread = file.get(HEADER.len()..).unwrap_or_default();
    let place = |unread: &[u8]| (file.len() - unread.len()) as u64;
    while let Some((changes, behind)) = frame::read(place(unread), unread) {
        for (key, value) in changes {
            match value {
                Some(value) => map.insert(key.to_vec(), value.to_vec()),
                None => map.remove(key),
            };
        }
        unread = behind;
    }
    let is_whole = |from: &&[u8]| frame::read(place(from), from).is_some();
    match (1..unread.len())
        .map(|ahead| &unread[ahead..])
        .find(is_whole)
    {
        Some(next) => Err(format!(
            "bytes {} to {} are not what was written",
            place(unread),
            place(next)
        )),
        None => Ok((map, place(unread))),
    }
}
