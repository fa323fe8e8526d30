//! The file of the log.
//!
//! A head of one page, and a ring of entries. All of it is written with zeros before it is used: to make a write durable
//! where nothing was ever written takes the file system half as long again.

use super::entry::{self, Found, LogId, PAGE};
use super::marker::Marker;
use super::ring::Ring;
use super::sector::{self, SECTOR, Stamp};
use crate::{Batch, OpenError, sync_folder_of};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

const MAGIC: [u8; 8] = *b"voightlg";
const HEAD: u64 = PAGE as u64;
/// What is looked through at a time, in bytes.
const PIECE: usize = 256 << 10;

/// A log that is written to.
#[derive(Debug)]
pub(super) struct LogFile {
    file: File,
    id: LogId,
}

impl LogFile {
    /// Makes an empty log with a ring of so many bytes at `path`. One that is there already keeps its sectors, which have
    /// lower numbers than any that is written from now on.
    pub(super) fn create(path: &Path, ring: u64) -> io::Result<Self> {
        // It holds digests of keys, and evidence: for its owner only.
        let file = File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        if file.metadata()?.len() != HEAD + ring {
            file.set_len(0)?;
            file.write_all_at(&vec![0; usize::try_from(HEAD + ring).map_err(io::Error::other)?], 0)?;
        }
        let id = identify(&file)?;
        file.write_all_at(&head(&id, ring), 0)?;
        file.sync_all()?;
        sync_folder_of(path)?;
        Ok(Self { file, id })
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
fn head(id: &LogId, ring: u64) -> Vec<u8> {
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

/// What a log holds that is not in its database.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    /// All entries, each over those before it.
    pub(super) batch: Batch,
    /// The number of the last one.
    pub(super) number: u64,
}

/// Reads the log at `path` of a database that knows this of it; nothing is written. An entry at the end of which only a part
/// is there was never acknowledged. Anything else that is not whole is damage.
pub(super) fn recover(path: &Path, marker: &Marker) -> Result<Recovered, OpenError> {
    let log = Left::at(path)?;
    let begin = log.read(0, PAGE)?;
    let magic = begin.get(..MAGIC.len()).unwrap_or(&begin);
    if magic != MAGIC && magic.iter().any(|byte| *byte != 0) {
        return Err(OpenError::Foreign { place: path.display().to_string() });
    }
    let (recovered, last, what) = match &marker.log {
        None => {
            let nothing = Recovered { number: marker.number, ..Recovered::default() };
            (nothing, marker.number, "its database knows nothing of what is in it")
        }
        Some(id) if begin.starts_with(&head(id, log.ring())) && log.ring() > 0 => {
            let recovered = log.entries(marker, id)?;
            // An entry of which only a part is there has the next number.
            let last = recovered.number + 1;
            (recovered, last, "entries are missing in it")
        }
        Some(_) => return Err(log.damaged("it is missing, cut short, or the log of another database")),
    };
    if log.highest_number()? > last {
        return Err(log.damaged(what));
    }
    Ok(recovered)
}

/// What was left of a log. It is read piece by piece: for all of it at once the system would have to clear memory, which takes
/// it longer than to read.
struct Left<'a> {
    path: &'a Path,
    /// `None` if there is nothing.
    file: Option<File>,
    length: u64,
}

impl<'a> Left<'a> {
    fn at(path: &'a Path) -> Result<Self, OpenError> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) => Ok(Self { path, file: Some(file), length }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self { path, file: None, length: 0 }),
            Err(error) => Err(OpenError::io(path.display(), error)),
        }
    }

    fn damaged(&self, what: &str) -> OpenError {
        OpenError::damaged(self.path.display(), what)
    }

    /// The bytes of its ring.
    const fn ring(&self) -> u64 {
        self.length.saturating_sub(HEAD)
    }

    /// So many bytes from `offset` on, or as many as there are.
    fn read(&self, offset: u64, bytes: usize) -> Result<Vec<u8>, OpenError> {
        let there = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut found = vec![0; bytes.min(there)];
        let read = self.file.as_ref().map_or(Ok(()), |file| file.read_exact_at(&mut found, offset));
        read.map_err(|error| OpenError::io(self.path.display(), error))?;
        Ok(found)
    }

    /// What is not in the database.
    fn entries(&self, marker: &Marker, id: &LogId) -> Result<Recovered, OpenError> {
        let mut recovered = Recovered { number: marker.number, ..Recovered::default() };
        let mut ring = Ring::at(self.ring(), marker.offset);
        loop {
            let number = recovered.number + 1;
            // An entry that did not fit at the end of the ring is at its beginning.
            let begins = [ring.tail(), ring.tail().next_multiple_of(self.ring())];
            let mut next = None;
            for begin in begins {
                match entry::read(&self.entry(ring.offset(begin))?, number, id) {
                    Found::Entry(batch, length) => {
                        next = Some((batch, begin + length as u64));
                        break;
                    }
                    Found::Nothing => {}
                    Found::Damage(what) => return Err(self.damaged(what)),
                }
            }
            let Some((batch, end)) = next else { return Ok(recovered) };
            recovered.batch.absorb(batch);
            recovered.number = number;
            ring.fill(end);
        }
    }

    /// What is at `offset` of the ring: as much as the entry takes up that begins there, if one does.
    fn entry(&self, offset: u64) -> Result<Vec<u8>, OpenError> {
        let begin = self.read(HEAD + offset, PAGE)?;
        match entry::extent(&begin) {
            Some(bytes) if bytes > PAGE => self.read(HEAD + offset, bytes),
            _ => Ok(begin),
        }
    }

    /// The highest number of an entry of which a sector is in the ring.
    fn highest_number(&self) -> Result<u64, OpenError> {
        let mut highest = 0;
        for offset in (HEAD..self.length).step_by(PIECE) {
            let piece = self.read(offset, PIECE)?;
            let numbers = piece.chunks(SECTOR).filter_map(|sector| match sector::stamp(sector) {
                Stamp::Of(number) => Some(number),
                Stamp::Blank | Stamp::Damaged => None,
            });
            highest = numbers.fold(highest, u64::max);
        }
        Ok(highest)
    }
}
