//! Database handle: an engine with its writer.

use crate::write_transaction::WriteTransaction;
use crate::writer::{CacheInvalidator, PendingWrite, QueueLimits, Writer, WriterStatus};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use voight_domain::ports::{CommitSnapshot, DatabaseStatus, Health, StoreError};
use voight_domain::vocabulary::Timestamp;
use voight_engine::Engine;

/// Maximum number of attempts of a read while the engine is being reopened, and the pause between them. Without free
/// space the engine is reopened at every write attempt, which takes milliseconds.
const MAX_READ_ATTEMPTS: usize = 50;
const RETRY_PAUSE: Duration = Duration::from_millis(2);

/// Database handle. Reads run on the caller's thread, writes on the writer thread.
pub(crate) struct Database<E> {
    engine: Arc<E>,
    writer: Writer,
}

impl<E: Engine> Database<E> {
    pub(crate) fn start(
        engine: E,
        limits: QueueLimits,
        status: WriterStatus,
        invalidate_cache: CacheInvalidator,
    ) -> std::io::Result<Self> {
        let engine = Arc::new(engine);
        let writer = Writer::start(Arc::clone(&engine), limits, status, invalidate_cache)?;
        Ok(Self { engine, writer })
    }

    /// Reads from one snapshot. Corruption or a failed read also stops the writer: no further write is acknowledged on
    /// data that cannot be trusted.
    pub(crate) fn read<T>(
        &self,
        mut read: impl FnMut(&E::Snapshot) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.with_snapshot(|snapshot| read(&snapshot))
    }

    /// Returns a snapshot for a long read. It becomes stale when the engine is reopened.
    pub(crate) fn snapshot(&self) -> Result<E::Snapshot, StoreError> {
        self.with_snapshot(Ok)
    }

    fn with_snapshot<T>(
        &self,
        mut with: impl FnMut(E::Snapshot) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut outcome = Err(StoreError::NotApplied(
            "the database is being reopened".into(),
        ));
        for _ in 0..MAX_READ_ATTEMPTS {
            outcome = self
                .engine
                .snapshot()
                .map_err(StoreError::from)
                .and_then(&mut with);
            if !matches!(outcome, Err(StoreError::NotApplied(_))) {
                break;
            }
            thread::sleep(RETRY_PAUSE);
        }
        outcome.inspect_err(|error| self.fail_stop_on(error))
    }

    /// Stops the writer permanently if the error shows that stored data cannot be trusted.
    pub(crate) fn fail_stop_on(&self, error: &StoreError) {
        self.writer.stop_on(error);
    }

    /// Runs a write transaction on the writer thread.
    pub(crate) fn write<T, F>(&self, transaction: F) -> PendingWrite<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.writer.submit(transaction)
    }

    /// Returns the kind of engine.
    pub(crate) fn name(&self) -> &'static str {
        self.engine.name()
    }

    /// Returns the health. An engine that has failed in the background stops the writer, too.
    pub(crate) fn health(&self) -> Health {
        if let Err(error) = self.engine.health() {
            self.fail_stop_on(&error.into());
        }
        self.writer.health()
    }

    /// Returns the histograms of the commits.
    pub(crate) fn commits(&self) -> CommitSnapshot {
        self.writer.commits()
    }

    /// Returns the status of this database, which is called `name`.
    pub(crate) fn status(&self, name: &'static str) -> DatabaseStatus {
        DatabaseStatus {
            name,
            queued_commands: self.writer.queued_commands() as u64,
            log: self.engine.log_status(),
        }
    }

    /// Returns the time of the last durable commit.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        self.writer.committed_at()
    }
}
