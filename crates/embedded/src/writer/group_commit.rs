//! Group commit: runs the commands, applies their writes and sends the replies.

use super::command::Command;
use super::waker_batch::WakerBatch;
use super::{CacheInvalidator, WriterStatus};
use crate::write_transaction::WriteTransaction;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use voight_domain::ports::{Health, StoreError};
use voight_engine::store::Stopwatch;
use voight_engine::{Batch, Engine, EngineError, Read};

/// Interval between checks for free space while there is none and the queue is empty.
const SPACE_PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// Time after which the writer wakes the remaining tasks of the last group. Applies while the queue is empty.
const WAKE_REMAINING_AFTER: Duration = Duration::from_millis(1);

/// State of the writer thread.
pub(super) struct GroupCommit<E> {
    engine: Arc<E>,
    status: Arc<WriterStatus>,
    invalidate_cache: CacheInvalidator,
    /// `true` when the engine must be recovered before the next write.
    needs_recovery: bool,
    /// Wakers of the last group that received its replies.
    last_wakers: Arc<WakerBatch>,
}

impl<E: Engine> GroupCommit<E> {
    pub(super) fn new(
        engine: Arc<E>,
        status: Arc<WriterStatus>,
        invalidate_cache: CacheInvalidator,
    ) -> Self {
        Self {
            engine,
            status,
            invalidate_cache,
            needs_recovery: false,
            last_wakers: Arc::default(),
        }
    }

    /// Returns the timeout for new commands, after which idle work is due; `None` if there is none.
    pub(super) fn wait_timeout(&self) -> Option<Duration> {
        if self.last_wakers.has_remaining() {
            return Some(WAKE_REMAINING_AFTER);
        }
        self.is_full().then_some(SPACE_PROBE_INTERVAL)
    }

    /// Does the work that is due while the queue is empty.
    pub(super) fn run_idle_work(&mut self) {
        self.last_wakers.wake_remaining();
        if self.is_full() {
            self.probe_free_space();
        }
    }

    fn is_full(&self) -> bool {
        self.status.health() == Health::OutOfSpace
    }

    /// Resumes if there is space again. A service that is not ready may receive no requests, so it cannot rely on a
    /// write to detect this.
    fn probe_free_space(&mut self) {
        if self.engine.has_free_space() == Ok(true)
            && (!self.needs_recovery || self.recover().is_ok())
        {
            self.status.set_ready();
        }
    }

    /// Runs and applies a group of commands, and sends their replies.
    pub(super) fn commit(&mut self, mut commands: Vec<Box<dyn Command>>) {
        let outcome = self
            .status
            .ensure_running()
            .and_then(|()| self.write(&mut commands));
        self.last_wakers.wake_remaining();
        self.last_wakers = Arc::default();
        for command in commands {
            command.answer(&outcome, &self.last_wakers);
        }
        self.last_wakers.wake_one_per_thread();
    }

    fn write(&mut self, commands: &mut [Box<dyn Command>]) -> Result<(), StoreError> {
        if self.needs_recovery {
            // The group has not run yet, so a failure here has changed nothing.
            self.recover().map_err(StoreError::from)?;
        }
        let group = self.run(commands)?;
        if group.is_empty() {
            Ok(())
        } else {
            self.apply(&group, commands.len())
        }
    }

    /// Runs the commands in order, each on the writes of those before it. Returns the writes of those that succeed.
    fn run(&mut self, commands: &mut [Box<dyn Command>]) -> Result<Batch, StoreError> {
        let base = self
            .base_snapshot()
            .map_err(|error| self.fail_stop(error.into()))?;
        let mut group = Batch::default();
        for command in commands {
            let mut transaction = WriteTransaction::new(&base, &group);
            match command.run(&mut transaction) {
                Ok(()) => {
                    transaction.into_writes().add_to(&mut group);
                }
                Err(error @ (StoreError::Corrupt(_) | StoreError::Fatal(_))) => {
                    return Err(self.fail_stop(error));
                }
                Err(_) => {}
            }
        }
        Ok(group)
    }

    /// Takes a snapshot of the last commit. If another component closed the engine for lack of space, it is recovered
    /// first.
    fn base_snapshot(&mut self) -> Result<E::Snapshot, EngineError> {
        match self.engine.snapshot() {
            Err(EngineError::Stale) => {
                self.recover()?;
                self.engine.snapshot()
            }
            base => base,
        }
    }

    /// Stops the store permanently on corruption or a failed read, before anything of the group is written.
    fn fail_stop(&self, error: StoreError) -> StoreError {
        self.status.fail_stop_on(&error);
        self.status.ensure_running().err().unwrap_or(error)
    }

    /// Applies the writes of a group of `commands` commands.
    fn apply(&mut self, group: &Batch, commands: usize) -> Result<(), StoreError> {
        let stopwatch = Stopwatch::start();
        let apply_result = catch_unwind(AssertUnwindSafe(|| self.engine.apply(group)))
            .unwrap_or_else(|_| {
                Err(EngineError::Io(
                    "the database panicked during a commit".into(),
                ))
            });
        self.status.commits().record(commands, stopwatch.elapsed());
        (self.invalidate_cache)(group);
        match apply_result {
            Ok(()) => {
                self.status.record_commit();
                Ok(())
            }
            Err(EngineError::Full(why)) => self.handle_out_of_space(group, why),
            Err(EngineError::NotApplied(why)) => Err(StoreError::NotApplied(why)),
            Err(error) => Err(self.fail_unknown_outcome(&error)),
        }
    }

    /// Handles a lack of space, the only recoverable error. Reopening the engine shows if the batch was applied.
    fn handle_out_of_space(&mut self, group: &Batch, why: String) -> Result<(), StoreError> {
        self.status.set_out_of_space();
        match self.recover().and_then(|()| self.is_applied(group)) {
            Ok(true) => {
                self.status.record_commit();
                Ok(())
            }
            Ok(false) => Err(StoreError::Full(why)),
            Err(EngineError::Full(_) | EngineError::NotApplied(_)) => {
                Err(StoreError::MaybeApplied(format!(
                    "{why}, and the database could not be reopened yet"
                )))
            }
            Err(error) => Err(self.fail_unknown_outcome(&error)),
        }
    }

    fn recover(&mut self) -> Result<(), EngineError> {
        self.needs_recovery = true;
        match self.engine.recover() {
            Ok(()) => self.needs_recovery = false,
            Err(EngineError::Full(why)) => {
                self.status.set_out_of_space();
                return Err(EngineError::Full(why));
            }
            // The next write retries.
            Err(error @ EngineError::NotApplied(_)) => return Err(error),
            Err(error) => {
                self.status.fail_stop(&error.to_string());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns `true` if all changes of the batch are in the engine. A batch is applied completely or not at all.
    fn is_applied(&self, group: &Batch) -> Result<bool, EngineError> {
        let snapshot = self.engine.snapshot()?;
        for (key, expected) in group.iter() {
            let mut is_stored = expected.is_none();
            snapshot.get(&key, &mut |value| {
                is_stored = expected.as_deref() == Some(value);
            })?;
            if !is_stored {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stops the store permanently because the outcome of the batch is unknown. A sync is never repeated: the pages
    /// that a failed sync did not write may be gone from memory, and the next sync would report success without them.
    fn fail_unknown_outcome(&self, error: &EngineError) -> StoreError {
        self.status.fail_stop(&error.to_string());
        StoreError::MaybeApplied(error.to_string())
    }
}

impl<E> Drop for GroupCommit<E> {
    fn drop(&mut self) {
        self.last_wakers.wake_remaining();
    }
}
