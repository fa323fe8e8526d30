//! Append half of the log, and writes that bypass it.

use super::Wal;
use super::checkpoint_record::CheckpointRecord;
use super::entry::{self, LogId};
use super::file::{LogFile, LogPlace};
use super::ring::Ring;
use crate::{Batch, Engine, EngineError};
use std::fs;
use std::sync::{MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// State that only the writing thread needs.
#[derive(Default)]
pub(super) struct Appender {
    /// File of the log; `None` if the log is read-only, or there was no space for the file.
    pub(super) place: Option<LogPlace>,
    /// Log in use, once something was written.
    pub(super) log: Option<LogFile>,
    /// Thread of the checkpointer; `None` if the log is read-only or closed.
    pub(super) checkpointer: Option<JoinHandle<()>>,
    /// `true` when every batch bypasses the log.
    pub(super) bypasses_log: bool,
    /// Repair that is due after a lack of space.
    pub(super) pending_repair: PendingRepair,
}

/// Repair after a lack of space.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum PendingRepair {
    #[default]
    None,
    /// The log contains a torn entry, which must never be read as complete.
    TornEntry,
    /// A write that bypassed the log has failed.
    DirectWrite,
}

impl<E: Engine> Wal<E> {
    pub(super) fn writing(&self) -> MutexGuard<'_, Appender> {
        self.appender.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a batch durable as an entry of the log.
    pub(super) fn append(&self, writing: &mut Appender, batch: &Batch) -> Result<(), EngineError> {
        if writing.log.is_none() {
            writing.log = Some(self.create_log(writing)?);
        }
        let Some(log) = &writing.log else {
            return Err(EngineError::Stale);
        };
        let number = self.shared.lock().number + 1;
        let entry = entry::encode(batch, number, log.id())
            .map_err(|error| EngineError::Io(error.to_string()))?;
        let length = entry.len() as u64;
        let (start, offset) = self.reserve(length)?;
        if let Err(error) = log.write(offset, &entry) {
            writing.pending_repair = PendingRepair::TornEntry;
            return Err(error.into());
        }
        // Even a lack of space is fatal here: the part of the log that is on disk is unknown.
        log.sync()
            .map_err(|error| EngineError::Io(error.to_string()))?;
        self.shared
            .publish_append(batch.clone(), number, start + length);
        Ok(())
    }

    /// Waits for room in the log. Returns position and offset of the next entry.
    fn reserve(&self, length: u64) -> Result<(u64, u64), EngineError> {
        self.shared
            .wait(|state| match state.ring.position_for(length) {
                Some(start) => Some(Ok((start, state.ring.offset(start)))),
                None => state.check().err().map(Err),
            })
    }

    /// Creates a new log, after everything in an older one is in the engine.
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

    /// Runs a checkpoint and records in the engine that no log is in use. The number of a possibly torn entry is never
    /// reused.
    pub(super) fn retire_log(&self, writing: &mut Appender) -> Result<(), EngineError> {
        self.shared.wait_for_checkpoint()?;
        if self.shared.lock().log.is_some() {
            self.write_checkpoint_record(writing, None, 1)?;
        }
        writing.log = None;
        Ok(())
    }

    /// Writes the log in use to the checkpoint record and skips `skipped` entry numbers. Everything must be in the
    /// engine.
    fn write_checkpoint_record(
        &self,
        writing: &mut Appender,
        log: Option<LogId>,
        skipped: u64,
    ) -> Result<(), EngineError> {
        let mut state = self.shared.lock();
        let number = state.number + skipped;
        // After a failure the record may still have been written; the log must then be retired before another one is
        // created.
        state.log = log.or(state.log);
        drop(state);
        let mut batch = Batch::default();
        CheckpointRecord {
            log,
            number,
            offset: 0,
        }
        .put(&mut batch);
        self.write_through(writing, &batch)?;
        let mut state = self.shared.lock();
        (state.log, state.number) = (log, number);
        Ok(())
    }

    /// Writes a batch directly to the engine.
    pub(super) fn write_through(
        &self,
        writing: &mut Appender,
        batch: &Batch,
    ) -> Result<(), EngineError> {
        self.shared.engine.apply(batch).inspect_err(|error| {
            if matches!(error, EngineError::Full(_))
                && writing.pending_repair == PendingRepair::None
            {
                writing.pending_repair = PendingRepair::DirectWrite;
            }
        })
    }

    /// Runs a last checkpoint and removes the log. Nothing can be written afterwards.
    pub(super) fn close(&self) -> Result<(), EngineError> {
        let mut writing = self.writing();
        let Some(folder) = writing.checkpointer.take() else {
            return Ok(());
        };
        self.shared.change(|state| state.is_closing = true);
        if folder.join().is_err() {
            return Err(EngineError::Io(
                "the checkpoint of the write-ahead log failed".into(),
            ));
        }
        self.shared.lock().check()?;
        if self.shared.lock().log.is_some() {
            self.write_checkpoint_record(&mut writing, None, 1)?;
            // If a power failure brings the file back, the engine knows that all of its entries are applied.
            fs::remove_file(&self.path)?;
        } else if let Some(place) = writing.place.take()
            && place.is_empty()?
        {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}
