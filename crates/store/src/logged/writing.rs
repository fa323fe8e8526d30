//! Writing to the log, and to the database where the log will not do.

use super::Wal;
use super::entry::{self, LogId};
use super::file::{LogFile, LogPlace};
use super::marker::CheckpointRecord;
use super::ring::Ring;
use crate::{Batch, Engine, EngineError};
use std::fs;
use std::sync::{MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What only the one who writes needs.
#[derive(Default)]
pub(super) struct Appender {
    /// File of the log; `None` if nothing may be written, or there was no space for the file.
    pub(super) place: Option<LogPlace>,
    /// The log, once something was written.
    pub(super) log: Option<LogFile>,
    /// Folds; `None` if nothing may be written.
    pub(super) checkpointer: Option<JoinHandle<()>>,
    /// Whether every batch goes to the database itself.
    pub(super) bypasses_log: bool,
    /// What has to be put right after a lack of space.
    pub(super) pending_repair: PendingRepair,
}

/// What a lack of space has left behind.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum PendingRepair {
    #[default]
    None,
    /// A part of an entry, which is never to be taken for one.
    TornEntry,
    /// A database that was written to itself.
    DirectWrite,
}

impl<E: Engine> Wal<E> {
    pub(super) fn writing(&self) -> MutexGuard<'_, Appender> {
        self.appender.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a batch durable by an entry of the log.
    pub(super) fn append(&self, writing: &mut Appender, batch: &Batch) -> Result<(), EngineError> {
        if writing.log.is_none() {
            writing.log = Some(self.create_log(writing)?);
        }
        let Some(log) = &writing.log else { return Err(EngineError::Stale) };
        let number = self.shared.lock().number + 1;
        let entry = entry::encode(batch, number, log.id()).map_err(|error| EngineError::Io(error.to_string()))?;
        let length = entry.len() as u64;
        let (start, offset) = self.reserve(length)?;
        if let Err(error) = log.write(offset, &entry) {
            writing.pending_repair = PendingRepair::TornEntry;
            return Err(error.into());
        }
        // Not even a lack of space is survived here: nobody knows what of the log is on the disk.
        log.sync().map_err(|error| EngineError::Io(error.to_string()))?;
        self.shared.publish_append(batch.clone(), number, start + length);
        Ok(())
    }

    /// Waits for room in the log: the position of the next entry, and its offset.
    fn reserve(&self, length: u64) -> Result<(u64, u64), EngineError> {
        self.shared.wait(|state| match state.ring.position_for(length) {
            Some(start) => Some(Ok((start, state.ring.offset(start)))),
            None => state.check().err().map(Err),
        })
    }

    /// Makes a new log, once everything in an older one is in the database.
    fn create_log(&self, writing: &mut Appender) -> Result<LogFile, EngineError> {
        self.retire_log(writing)?;
        let place = match writing.place.take() {
            Some(place) => place,
            None => LogPlace::open(&self.path).map_err(EngineError::opening)?,
        };
        let log = LogFile::create(writing.place.insert(place), self.size)?;
        self.write_checkpoint_record(writing, Some(*log.id()), 0)?;
        self.shared.lock().ring = Ring::new(self.size, 0);
        Ok(log)
    }

    /// Brings everything into the database and says there that no log is in use. The number of an entry of which a part may be
    /// there is never used again.
    pub(super) fn retire_log(&self, writing: &mut Appender) -> Result<(), EngineError> {
        self.shared.wait_for_checkpoint()?;
        if self.shared.lock().log.is_some() {
            self.write_checkpoint_record(writing, None, 1)?;
        }
        writing.log = None;
        Ok(())
    }

    /// Writes into the database which log is in use, and leaves out so many numbers. Everything has to be folded.
    fn write_checkpoint_record(
        &self,
        writing: &mut Appender,
        log: Option<LogId>,
        skipped: u64,
    ) -> Result<(), EngineError> {
        let mut state = self.shared.lock();
        let number = state.number + skipped;
        // Should this fail, it may be there all the same; then the log has to be ended before there is another one.
        state.log = log.or(state.log);
        drop(state);
        let mut batch = Batch::default();
        CheckpointRecord { log, number, offset: 0 }.put(&mut batch);
        self.write_through(writing, &batch)?;
        let mut state = self.shared.lock();
        (state.log, state.number) = (log, number);
        Ok(())
    }

    /// Writes to the database itself.
    pub(super) fn write_through(&self, writing: &mut Appender, batch: &Batch) -> Result<(), EngineError> {
        self.shared.engine.apply(batch).inspect_err(|error| {
            if matches!(error, EngineError::Full(_)) && writing.pending_repair == PendingRepair::None {
                writing.pending_repair = PendingRepair::DirectWrite;
            }
        })
    }

    /// Brings everything into the database, and takes the log away. Nothing can be written afterwards.
    pub(super) fn close(&self) -> Result<(), EngineError> {
        let mut writing = self.writing();
        let Some(folder) = writing.checkpointer.take() else { return Ok(()) };
        self.shared.change(|state| state.is_closing = true);
        if folder.join().is_err() {
            return Err(EngineError::Io("the log could not be folded".into()));
        }
        self.shared.lock().check()?;
        if self.shared.lock().log.is_some() {
            self.write_checkpoint_record(&mut writing, None, 1)?;
            // Should it come back after a power cut, the database knows that nothing in it is missing.
            fs::remove_file(&self.path)?;
        } else if let Some(place) = writing.place.take()
            && place.is_empty()?
        {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}
