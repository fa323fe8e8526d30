//! One group: run the commands, apply their writes, answer.

use super::submitted::Command;
use super::wakes::WakerBatch;
use super::{CacheInvalidator, WriterStatus};
use crate::step::WriteTransaction;
use crate::{Batch, Engine, EngineError, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use voight_domain::ports::{Health, StoreError};

/// How often space is looked for while there is none and nobody writes.
const SPACE_PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// How long a task that was woken has for waking the others of its thread, while nobody writes.
const WAKE_REMAINING_AFTER: Duration = Duration::from_millis(1);

/// What the writing thread works with.
pub(super) struct GroupCommit<E> {
    engine: Arc<E>,
    latch: Arc<WriterStatus>,
    invalidate_cache: CacheInvalidator,
    /// Whether the engine has to be put back to work before the next write.
    needs_recovery: bool,
    /// Who was answered last.
    last_wakers: Arc<WakerBatch>,
}

impl<E: Engine> GroupCommit<E> {
    pub(super) fn new(engine: Arc<E>, latch: Arc<WriterStatus>, forget: CacheInvalidator) -> Self {
        Self { engine, latch, invalidate_cache: forget, needs_recovery: false, last_wakers: Arc::default() }
    }

    /// How long the writer waits for commands before it does without them what is left to do; `None` if nothing is.
    pub(super) fn wait_timeout(&self) -> Option<Duration> {
        if self.last_wakers.has_remaining() {
            return Some(WAKE_REMAINING_AFTER);
        }
        self.is_full().then_some(SPACE_PROBE_INTERVAL)
    }

    /// Does what is left to do while nobody writes.
    pub(super) fn run_idle_work(&mut self) {
        self.last_wakers.wake_remaining();
        if self.is_full() {
            self.probe_free_space();
        }
    }

    fn is_full(&self) -> bool {
        self.latch.health() == Health::OutOfSpace
    }

    /// Goes back to work if there is space again. A service that is not ready may be asked for nothing, so it cannot wait for
    /// a write that shows it.
    fn probe_free_space(&mut self) {
        if self.engine.has_free_space() == Ok(true) && (!self.needs_recovery || self.recover().is_ok()) {
            self.latch.set_ready();
        }
    }

    /// Runs, applies and answers these commands.
    pub(super) fn commit(&mut self, mut commands: Vec<Box<dyn Command>>) {
        let fate = self.latch.ensure_running().and_then(|()| self.write(&mut commands));
        self.last_wakers.wake_remaining();
        self.last_wakers = Arc::default();
        for command in commands {
            command.answer(&fate, &self.last_wakers);
        }
        self.last_wakers.wake_one_per_thread();
    }

    fn write(&mut self, commands: &mut [Box<dyn Command>]) -> Result<(), StoreError> {
        if self.needs_recovery {
            // The group has not run yet, so whatever fails here has changed nothing.
            self.recover().map_err(StoreError::from)?;
        }
        let group = self.run(commands)?;
        if group.is_empty() { Ok(()) } else { self.apply(&group) }
    }

    /// The writes of the commands that succeed, one after the other on what the ones before them left.
    fn run(&mut self, commands: &mut [Box<dyn Command>]) -> Result<Batch, StoreError> {
        let base = self.base_snapshot().map_err(|error| self.fail_stop(error.into()))?;
        let mut group = Batch::default();
        for command in commands {
            let mut step = WriteTransaction::new(&base, &group);
            match command.run(&mut step) {
                Ok(()) => {
                    let own = step.into_batch();
                    group.extend(own);
                }
                Err(error @ (StoreError::Corrupt(_) | StoreError::Fatal(_))) => return Err(self.fail_stop(error)),
                Err(_) => {}
            }
        }
        Ok(group)
    }

    /// The last commit. What was closed for lack of space, be it by others, is put back to work first.
    fn base_snapshot(&mut self) -> Result<E::Snapshot, EngineError> {
        match self.engine.snapshot() {
            Err(EngineError::Stale) => {
                self.recover()?;
                self.engine.snapshot()
            }
            base => base,
        }
    }

    /// Stops for good on damage or a failed read, before anything of the group was written.
    fn fail_stop(&self, error: StoreError) -> StoreError {
        self.latch.fail_stop_on(&error);
        self.latch.ensure_running().err().unwrap_or(error)
    }

    fn apply(&mut self, group: &Batch) -> Result<(), StoreError> {
        let applied = catch_unwind(AssertUnwindSafe(|| self.engine.apply(group)))
            .unwrap_or_else(|_| Err(EngineError::Io("the database panicked during a commit".into())));
        (self.invalidate_cache)(group);
        match applied {
            Ok(()) => {
                self.latch.record_commit();
                Ok(())
            }
            Err(EngineError::Full(why)) => self.handle_out_of_space(group, why),
            Err(EngineError::NotApplied(why)) => Err(StoreError::NotApplied(why)),
            Err(error) => Err(self.fail_unknown_outcome(&error)),
        }
    }

    /// There was no space. The one error that is survived: the engine is reopened, which shows what became of the batch.
    fn handle_out_of_space(&mut self, group: &Batch, why: String) -> Result<(), StoreError> {
        self.latch.set_out_of_space();
        match self.recover().and_then(|()| self.is_applied(group)) {
            Ok(true) => {
                self.latch.record_commit();
                Ok(())
            }
            Ok(false) => Err(StoreError::Full(why)),
            Err(EngineError::Full(_) | EngineError::NotApplied(_)) => {
                Err(StoreError::MaybeApplied(format!("{why}, and the database could not be reopened yet")))
            }
            Err(error) => Err(self.fail_unknown_outcome(&error)),
        }
    }

    fn recover(&mut self) -> Result<(), EngineError> {
        self.needs_recovery = true;
        match self.engine.recover() {
            Ok(()) => self.needs_recovery = false,
            Err(EngineError::Full(why)) => {
                self.latch.set_out_of_space();
                return Err(EngineError::Full(why));
            }
            // The next write tries again.
            Err(error @ EngineError::NotApplied(_)) => return Err(error),
            Err(error) => {
                self.latch.fail_stop(&error.to_string());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether everything in the batch is there. A batch is applied whole or not at all.
    fn is_applied(&self, group: &Batch) -> Result<bool, EngineError> {
        let now = self.engine.snapshot()?;
        for (key, wanted) in group.iter() {
            let mut there = wanted.is_none();
            now.get(key, &mut |value| there = wanted == Some(value))?;
            if !there {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Nobody knows what became of the batch: stop for good. A sync is never tried again, because the pages that a failed
    /// one did not write may already be gone from memory, and the next would report success without them.
    fn fail_unknown_outcome(&self, error: &EngineError) -> StoreError {
        self.latch.fail_stop(&error.to_string());
        StoreError::MaybeApplied(error.to_string())
    }
}

impl<E> Drop for GroupCommit<E> {
    fn drop(&mut self) {
        self.last_wakers.wake_remaining();
    }
}
