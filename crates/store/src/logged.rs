//! A database with a log in front of it.
//!
//! To make a batch durable, a tree writes and syncs pages of all its levels; here it is one write and one sync of a file
//! whose blocks are there already. The database gets the batches later, many of them in one.
//!
//! - A batch is acknowledged when it is in the log and synced. Reads see it from then on.
//! - A fold brings everything that is in the log into the database at once, with a marker up to where that is. So a
//!   fold that was cut short is there whole or not at all, and nothing is folded twice.
//! - Opening after a crash reads the log from the marker on. The last entry may be there in part, and was then never
//!   acknowledged; anything else that is not whole is damage, and refused.
//! - When the log is full, writes wait for a fold. When there is no space to fold, they find none either.
//! - After a failed write or sync of the log nothing is acknowledged any more.
//! - Closing brings everything into the database, and takes the log away.

mod entry;
mod file;
mod folder;
mod marker;
mod on_disk;
mod overlay;
mod reader;
mod ring;
mod sector;
mod shared;
mod writing;

#[cfg(test)]
mod tests;

pub(crate) use on_disk::wal_path;
pub use overlay::WalSnapshot;

use crate::{Batch, Engine, EngineError, OpenError};
use file::LogPlace;
use marker::CheckpointRecord;
use overlay::Memtable;
use ring::Ring;
use shared::{WalCore, WalState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use writing::{Appender, PendingRepair};

/// The bytes of a log.
pub(crate) const WAL_BYTES: u64 = 16 << 20;
/// What is larger than this part of a log goes to the database itself, which is as fast for so much at once.
const BYPASS_FRACTION: u64 = 8;

/// An engine whose batches are made durable by a log at a path of its own.
pub struct Wal<E: Engine> {
    shared: Arc<WalCore<E>>,
    path: PathBuf,
    size: u64,
    /// Held by the one who writes.
    appender: Mutex<Appender>,
}

impl<E: Engine> Wal<E> {
    /// Puts a log of so many bytes at `path` in front of a database, and reads what a crash has left in it.
    pub fn open(engine: E, path: &Path, bytes: u64) -> Result<Self, OpenError> {
        let logged = Self::open_read_only(engine, path, bytes)?;
        let failed = |error| OpenError::io(path.display(), error);
        let place = LogPlace::open(path).map(Some).or_else(|error| match EngineError::opening(error) {
            // Without space there is nothing to write, and reads are answered.
            EngineError::Full(_) => Ok(None),
            other => Err(other),
        });
        let place = place.map_err(|error| OpenError::io(path.display(), error))?;
        let folder = folder::start(&logged.shared).map_err(failed)?;
        let mut writing = logged.writing();
        (writing.place, writing.checkpointer) = (place, Some(folder));
        drop(writing);
        Ok(logged)
    }

    /// The same, to be read only; nothing is written to the log.
    pub fn open_read_only(engine: E, path: &Path, bytes: u64) -> Result<Self, OpenError> {
        let failed = |error: EngineError| match error {
            EngineError::Corrupt(what) => OpenError::damaged(path.display(), what),
            other => OpenError::io(path.display(), other),
        };
        let marker = engine.snapshot().and_then(|view| CheckpointRecord::read(&view)).map_err(failed)?;
        let recovered = reader::recover(path, &marker)?;
        let mut overlay = Memtable::default();
        if !recovered.batch.is_empty() {
            overlay.add(recovered.batch);
        }
        let state =
            WalState::new(overlay, &CheckpointRecord { number: recovered.number, ..marker }, Ring::new(bytes, 0));
        let shared = Arc::new(WalCore::new(engine, state));
        Ok(Self { shared, path: path.to_owned(), size: bytes, appender: Mutex::default() })
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
            return Err(EngineError::Io("the database was opened to be read only, or is closed".into()));
        }
        if writing.pending_repair != PendingRepair::None {
            return Err(EngineError::Stale);
        }
        let written = if writing.bypasses_log || batch.bytes() > self.size / BYPASS_FRACTION {
            self.shared.wait_for_checkpoint().and_then(|()| self.write_through(&mut writing, batch))
        } else {
            self.append(&mut writing, batch)
        };
        written.inspect_err(|error| {
            if !matches!(error, EngineError::Full(_) | EngineError::NotApplied(_)) {
                self.shared.change(|state| state.error = Some(error.clone()));
            }
        })
    }

    fn recover(&self) -> Result<(), EngineError> {
        let mut writing = self.writing();
        // After a fold without space the database may be closed, too.
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
}

impl<E: Engine> Drop for Wal<E> {
    fn drop(&mut self) {
        // What cannot be folded now stays in the log, and is found there at the next opening.
        drop(catch_unwind(AssertUnwindSafe(|| self.close())));
    }
}
