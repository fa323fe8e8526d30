//! Write-ahead log for an engine.
//!
//! To make a batch durable, a tree writes and syncs pages of all its levels. The log needs one write and one sync of a
//! preallocated file; the engine receives the batches later, many of them in one.
//!
//! - A batch is acknowledged once it is in the log and synced. Reads see it from then on.
//! - A checkpoint applies all logged batches to the engine in one batch, together with the log position. It is
//!   therefore atomic, and no batch is applied twice.
//! - Opening after a crash replays the log from that position. The last entry may be torn and was then never
//!   acknowledged; any other incomplete entry is corruption, and the store is not opened.
//! - When the log is full, writes wait for a checkpoint. If a checkpoint lacks space, they fail for lack of space, too.
//! - After a failed write or sync of the log no further batch is acknowledged.
//! - Closing runs a last checkpoint and removes the log.

mod append;
mod checkpoint_record;
mod checkpointer;
mod entry;
mod file;
mod memtable;
mod on_disk;
mod reader;
mod ring;
mod sector;
mod shared;

#[cfg(test)]
mod tests;

pub use memtable::WalSnapshot;

use crate::{Batch, Engine, EngineError, OpenError};
use append::{Appender, PendingRepair};
use checkpoint_record::CheckpointRecord;
use file::LogPlace;
use memtable::Memtable;
use ring::Ring;
use shared::{WalCore, WalState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use voight_domain::ports::LogStatus;

/// Size of a log, in bytes.
pub(crate) const WAL_BYTES: u64 = 16 << 20;
/// Batches larger than this fraction of the log bypass it: for large batches the engine is as fast.
const BYPASS_FRACTION: u64 = 8;

/// Engine whose batches are made durable by a write-ahead log in a file of its own.
pub struct Wal<E: Engine> {
    shared: Arc<WalCore<E>>,
    path: PathBuf,
    size: u64,
    /// Append half of the log, locked by the writing thread.
    appender: Mutex<Appender>,
}

impl<E: Engine> Wal<E> {
    /// Opens the engine with a log of `bytes` bytes at `path`, and replays the rest of a crash.
    pub fn open(engine: E, path: &Path, bytes: u64) -> Result<Self, OpenError> {
        let wal = Self::open_read_only(engine, path, bytes)?;
        let io_error = |error| OpenError::io(path.display(), error);
        let place =
            LogPlace::open(path)
                .map(Some)
                .or_else(|error| match EngineError::opening(error) {
                    // Without space the store cannot write, but reads are served.
                    EngineError::Full(_) => Ok(None),
                    engine_error => Err(engine_error),
                });
        let place = place.map_err(|error| OpenError::io(path.display(), error))?;
        let checkpointer_thread = checkpointer::start(&wal.shared).map_err(io_error)?;
        let mut writing = wal.writing();
        (writing.place, writing.checkpointer) = (place, Some(checkpointer_thread));
        drop(writing);
        Ok(wal)
    }

    /// Opens the engine and replays the log like [`open`](Self::open), but never writes to the log.
    pub fn open_read_only(engine: E, path: &Path, bytes: u64) -> Result<Self, OpenError> {
        let engine_error = |error| OpenError::from_engine(path.display(), error);
        let base = engine.snapshot().map_err(engine_error)?;
        let marker = CheckpointRecord::read(&base).map_err(engine_error)?;
        let recovered_log = reader::recover(path, &marker, &base)?;
        drop(base);
        let mut memtable = Memtable::default();
        if !recovered_log.batch.is_empty() {
            memtable.add(recovered_log.batch);
        }
        let state = WalState::new(
            memtable,
            &CheckpointRecord {
                number: recovered_log.number,
                ..marker
            },
            Ring::new(bytes, 0),
        );
        let core = Arc::new(WalCore::new(engine, state));
        Ok(Self {
            shared: core,
            path: path.to_owned(),
            size: bytes,
            appender: Mutex::default(),
        })
    }
}

impl<E: Engine> Engine for Wal<E> {
    type Snapshot = WalSnapshot<E::Snapshot>;

    fn name(&self) -> &'static str {
        self.shared.engine.name()
    }

    fn snapshot(&self) -> Result<Self::Snapshot, EngineError> {
        self.shared.snapshot()
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        let mut writing = self.writing();
        self.shared.lock().check_failed()?;
        if writing.checkpointer.is_none() {
            return Err(EngineError::Io(
                "the database was opened to be read only, or is closed".into(),
            ));
        }
        if writing.pending_repair != PendingRepair::None {
            return Err(EngineError::Stale);
        }
        let write_result = if writing.bypasses_log || batch.bytes() > self.size / BYPASS_FRACTION {
            self.shared
                .wait_for_checkpoint()
                .and_then(|()| self.write_through(&mut writing, batch))
        } else {
            self.append(&mut writing, batch)
        };
        write_result.inspect_err(|error| {
            if !matches!(error, EngineError::Full(_) | EngineError::NotApplied(_)) {
                self.shared
                    .change(|state| state.error = Some(error.clone()));
            }
        })
    }

    fn recover(&self) -> Result<(), EngineError> {
        let mut writing = self.writing();
        // A checkpoint that ran out of space may have closed the engine, too.
        let is_closed = matches!(self.shared.engine.snapshot(), Err(EngineError::Stale));
        if is_closed || writing.pending_repair != PendingRepair::None {
            self.shared.engine.recover()?;
        }
        if writing.pending_repair == PendingRepair::TornEntry {
            self.retire_log(&mut writing)?;
        }
        writing.pending_repair = PendingRepair::None;
        Ok(())
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(!self.shared.lock().is_full() && self.shared.engine.has_free_space()?)
    }

    fn health(&self) -> Result<(), EngineError> {
        self.shared.lock().check_failed()
    }

    fn log_status(&self) -> Option<LogStatus> {
        Some(self.shared.lock().status())
    }
}

impl<E: Engine> Drop for Wal<E> {
    fn drop(&mut self) {
        // Batches that no checkpoint can apply now stay in the log and are replayed at the next start.
        drop(catch_unwind(AssertUnwindSafe(|| self.close())));
    }
}
