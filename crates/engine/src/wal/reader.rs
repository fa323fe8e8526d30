//! Reads a log after a crash, or when a store is opened.

use super::checkpoint_record::CheckpointRecord;
use super::entry::{self, LogId, LoggedBatch, PAGE, ParsedEntry};
use super::file::{HEAD, MAGIC, head};
use super::ring::Ring;
use super::sector::{self, SECTOR, SectorStamp};
use crate::{Batch, OpenError, Read};
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Size of one read, in bytes.
const READ_CHUNK: usize = 256 << 10;

/// Content of a log that is not in its engine.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    /// Merged batches of all entries.
    pub(super) batch: Batch,
    /// Number of the last entry.
    pub(super) number: u64,
}

/// Reads the log at `path` from the position of the checkpoint record, without writing to it. `base` is a snapshot of
/// the engine with that record.
///
/// A torn entry at the end was never acknowledged and is ignored.
///
/// # Errors
///
/// [`OpenError::Damaged`] for any other incomplete entry, [`OpenError::NotAStore`] if the file is not a log.
pub(super) fn recover(
    path: &Path,
    marker: &CheckpointRecord,
    base: &impl Read,
) -> Result<Recovered, OpenError> {
    let log = LogReader::open(path)?;
    let begin = log.read(0, PAGE)?;
    let magic = begin.get(..MAGIC.len()).unwrap_or(&begin);
    if magic != MAGIC && magic.iter().any(|byte| *byte != 0) {
        return Err(OpenError::NotAStore {
            place: path.display().to_string(),
        });
    }
    let (recovered_log, last, what) = match &marker.log {
        None => {
            let nothing = Recovered {
                number: marker.number,
                ..Recovered::default()
            };
            (
                nothing,
                marker.number,
                "its database has no checkpoint record for its entries",
            )
        }
        Some(id) if begin.starts_with(&head(id, log.ring())) && log.ring() > 0 => {
            let recovered_log = log.entries(marker, id, base)?;
            // A torn entry has the next number.
            let last = recovered_log.number + 1;
            (recovered_log, last, "entries are missing in it")
        }
        Some(_) => {
            return Err(log.damaged("it is missing, truncated, or the log of another database"));
        }
    };
    if log.max_entry_number()? > last {
        return Err(log.damaged(what));
    }
    Ok(recovered_log)
}

/// Log that is read in chunks. Reading it at once would take longer, because the system must first clear as much
/// memory.
struct LogReader<'a> {
    path: &'a Path,
    /// The open file; `None` if it does not exist.
    file: Option<File>,
    length: u64,
}

impl<'a> LogReader<'a> {
    fn open(path: &'a Path) -> Result<Self, OpenError> {
        let open_result = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        match open_result {
            Ok((length, file)) => Ok(Self {
                path,
                file: Some(file),
                length,
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self {
                path,
                file: None,
                length: 0,
            }),
            Err(error) => Err(OpenError::io(path.display(), error)),
        }
    }

    fn damaged(&self, what: &str) -> OpenError {
        OpenError::damaged(self.path.display(), what)
    }

    /// Returns the size of the ring in bytes.
    const fn ring(&self) -> u64 {
        self.length.saturating_sub(HEAD)
    }

    /// Reads `bytes` bytes from `offset` on, or fewer at the end of the file.
    fn read(&self, offset: u64, bytes: usize) -> Result<Vec<u8>, OpenError> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut buffer = vec![0; bytes.min(available)];
        let read_result = self
            .file
            .as_ref()
            .map_or(Ok(()), |file| file.read_exact_at(&mut buffer, offset));
        read_result.map_err(|error| OpenError::io(self.path.display(), error))?;
        Ok(buffer)
    }

    /// Reads all entries that are not in the engine.
    fn entries(
        &self,
        marker: &CheckpointRecord,
        id: &LogId,
        base: &impl Read,
    ) -> Result<Recovered, OpenError> {
        let mut recovered_log = Recovered {
            number: marker.number,
            ..Recovered::default()
        };
        let mut ring = Ring::new(self.ring(), marker.offset);
        while let Some((batch, end)) = self.next(&ring, recovered_log.number + 1, id)? {
            batch
                .replay(&mut recovered_log.batch, base)
                .map_err(|error| OpenError::from_engine(self.path.display(), error))?;
            recovered_log.number += 1;
            ring.advance_tail(end);
        }
        Ok(recovered_log)
    }

    /// Reads the entry `number`, which follows those in the ring. Returns it with its end position.
    fn next(
        &self,
        ring: &Ring,
        number: u64,
        id: &LogId,
    ) -> Result<Option<(LoggedBatch, u64)>, OpenError> {
        // An entry that did not fit at the end of the ring is at its start.
        let begins = [ring.tail(), ring.tail().next_multiple_of(self.ring())];
        for begin in begins {
            match entry::read(&self.entry(ring.offset(begin))?, number, id) {
                ParsedEntry::Entry(batch, length) => {
                    return Ok(Some((batch, begin + length as u64)));
                }
                ParsedEntry::End => {}
                ParsedEntry::Corrupt(what) => return Err(self.damaged(what)),
            }
        }
        Ok(None)
    }

    /// Reads the entry at `offset` of the ring, or one page if no entry starts there.
    fn entry(&self, offset: u64) -> Result<Vec<u8>, OpenError> {
        let begin = self.read(HEAD + offset, PAGE)?;
        match entry::entry_length(&begin) {
            Some(bytes) if bytes > PAGE => self.read(HEAD + offset, bytes),
            _ => Ok(begin),
        }
    }

    /// Returns the highest entry number in any sector of the ring.
    fn max_entry_number(&self) -> Result<u64, OpenError> {
        let mut highest = 0;
        for offset in (HEAD..self.length).step_by(READ_CHUNK) {
            let piece = self.read(offset, READ_CHUNK)?;
            let numbers = piece
                .chunks(SECTOR)
                .filter_map(|sector| match sector::stamp(sector) {
                    SectorStamp::Of(number) => Some(number),
                    SectorStamp::Unwritten | SectorStamp::Damaged => None,
                });
            highest = numbers.fold(highest, u64::max);
        }
        Ok(highest)
    }
}
