//! What was left of a log, after a crash for example.

use super::entry::{self, LogId, PAGE, ParsedEntry};
use super::file::{HEAD, MAGIC, head};
use super::marker::CheckpointRecord;
use super::ring::Ring;
use super::sector::{self, SECTOR, SectorStamp};
use crate::{Batch, OpenError};
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// What is looked through at a time, in bytes.
const READ_CHUNK: usize = 256 << 10;

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
pub(super) fn recover(path: &Path, marker: &CheckpointRecord) -> Result<Recovered, OpenError> {
    let log = LogReader::open(path)?;
    let begin = log.read(0, PAGE)?;
    let magic = begin.get(..MAGIC.len()).unwrap_or(&begin);
    if magic != MAGIC && magic.iter().any(|byte| *byte != 0) {
        return Err(OpenError::NotAStore { place: path.display().to_string() });
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
    if log.max_entry_number()? > last {
        return Err(log.damaged(what));
    }
    Ok(recovered)
}

/// A log that is read, piece by piece: for all of it at once the system would have to clear memory, which takes it longer than
/// to read.
struct LogReader<'a> {
    path: &'a Path,
    /// `None` if there is nothing.
    file: Option<File>,
    length: u64,
}

impl<'a> LogReader<'a> {
    fn open(path: &'a Path) -> Result<Self, OpenError> {
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
    fn entries(&self, marker: &CheckpointRecord, id: &LogId) -> Result<Recovered, OpenError> {
        let mut recovered = Recovered { number: marker.number, ..Recovered::default() };
        let mut ring = Ring::new(self.ring(), marker.offset);
        while let Some((batch, end)) = self.next(&ring, recovered.number + 1, id)? {
            recovered.batch.extend(batch);
            recovered.number += 1;
            ring.advance_tail(end);
        }
        Ok(recovered)
    }

    /// The entry `number`, which follows those in the ring, and where it ends.
    fn next(&self, ring: &Ring, number: u64, id: &LogId) -> Result<Option<(Batch, u64)>, OpenError> {
        // An entry that did not fit at the end of the ring is at its beginning.
        let begins = [ring.tail(), ring.tail().next_multiple_of(self.ring())];
        for begin in begins {
            match entry::read(&self.entry(ring.offset(begin))?, number, id) {
                ParsedEntry::Entry(batch, length) => return Ok(Some((batch, begin + length as u64))),
                ParsedEntry::End => {}
                ParsedEntry::Corrupt(what) => return Err(self.damaged(what)),
            }
        }
        Ok(None)
    }

    /// What is at `offset` of the ring: as much as the entry takes up that begins there, if one does.
    fn entry(&self, offset: u64) -> Result<Vec<u8>, OpenError> {
        let begin = self.read(HEAD + offset, PAGE)?;
        match entry::entry_length(&begin) {
            Some(bytes) if bytes > PAGE => self.read(HEAD + offset, bytes),
            _ => Ok(begin),
        }
    }

    /// The highest number of an entry of which a sector is in the ring.
    fn max_entry_number(&self) -> Result<u64, OpenError> {
        let mut highest = 0;
        for offset in (HEAD..self.length).step_by(READ_CHUNK) {
            let piece = self.read(offset, READ_CHUNK)?;
            let numbers = piece.chunks(SECTOR).filter_map(|sector| match sector::stamp(sector) {
                SectorStamp::Of(number) => Some(number),
                SectorStamp::Unwritten | SectorStamp::Damaged => None,
            });
            highest = numbers.fold(highest, u64::max);
        }
        Ok(highest)
    }
}
