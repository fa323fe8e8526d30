//! State that the appender, the readers and the checkpointer share.

use super::checkpoint_record::CheckpointRecord;
use super::entry::LogId;
use super::memtable::{Memtable, WalSnapshot};
use super::ring::Ring;
use crate::stopwatch::Stopwatch;
use crate::{Batch, Engine, EngineError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::ports::LogStatus;

/// Number of changes freed between two pauses, which takes a few hundred microseconds.
const PAUSE_EVERY: usize = 1000;

/// Engine with the state of its log.
pub(super) struct WalCore<E> {
    pub(super) engine: E,
    state: Mutex<WalState>,
    changed: Condvar,
}

/// Progress of the log and of the engine.
pub(super) struct WalState {
    /// Changes that are not in the engine yet.
    pub(super) memtable: Memtable,
    /// Id of the log that contains them; `None` if no log is in use.
    pub(super) log: Option<LogId>,
    /// Number of the last entry.
    pub(super) number: u64,
    /// Part of the log that is in use.
    pub(super) ring: Ring,
    /// End position of the frozen part of the log.
    frozen_up_to: u64,
    /// Time of the oldest change in the frozen layers.
    frozen_since: Option<Stopwatch>,
    /// Time of the oldest change in the other layers.
    changed_since: Option<Stopwatch>,
    /// `true` when a caller waits for everything to be in the engine.
    pub(super) has_waiter: bool,
    /// `true` when the log is being closed.
    pub(super) is_closing: bool,
    /// Error that prevents checkpoints, temporarily or permanently.
    pub(super) error: Option<EngineError>,
}

impl WalState {
    pub(super) fn new(memtable: Memtable, marker: &CheckpointRecord, ring: Ring) -> Self {
        let log = marker.log;
        let number = marker.number;
        let is_awaited = false;
        let is_closing = false;
        let changed_since = (!memtable.is_empty()).then(Stopwatch::start);
        Self {
            memtable,
            log,
            number,
            ring,
            frozen_up_to: 0,
            frozen_since: None,
            changed_since,
            has_waiter: is_awaited,
            is_closing,
            error: None,
        }
    }

    /// Returns an error if checkpoints fail.
    pub(super) fn check(&self) -> Result<(), EngineError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Returns an error if checkpoints fail permanently.
    pub(super) fn check_failed(&self) -> Result<(), EngineError> {
        if self.is_full() { Ok(()) } else { self.check() }
    }

    /// Returns `true` if there is no space for a checkpoint.
    pub(super) const fn is_full(&self) -> bool {
        matches!(self.error, Some(EngineError::Full(_)))
    }

    /// Returns `true` if the log contains changes that are not in the engine.
    pub(super) fn has_unapplied(&self) -> bool {
        !self.memtable.is_empty()
    }

    /// Returns the use of the log. The age of changes that were replayed counts from the start of the process.
    pub(super) fn status(&self) -> LogStatus {
        let oldest_change = self.frozen_since.or(self.changed_since);
        LogStatus {
            bytes: self.ring.used(),
            lag: oldest_change.map_or(Duration::ZERO, |since| since.elapsed()),
        }
    }

    /// Returns `true` if a caller waits for a checkpoint, or the log is being closed.
    pub(super) const fn has_waiters(&self) -> bool {
        self.has_waiter || self.is_closing
    }

    /// Freezes the memtable and returns the batches of the next checkpoint.
    fn freeze_memtable(&mut self) -> Vec<Batch> {
        if !self.memtable.has_frozen() {
            self.frozen_up_to = self.ring.tail();
            self.frozen_since = self.changed_since.take();
        }
        let offset = self.ring.offset(self.frozen_up_to);
        self.memtable.freeze(&CheckpointRecord {
            log: self.log,
            number: self.number,
            offset,
        })
    }

    /// Drops the frozen layers and frees their part of the log.
    fn finish_checkpoint(&mut self) {
        self.memtable.drop_frozen();
        self.frozen_since = None;
        self.ring.advance_head(self.frozen_up_to);
        if self.is_full() {
            self.error = None;
        }
    }
}

impl<E: Engine> WalCore<E> {
    pub(super) fn new(engine: E, state: WalState) -> Self {
        Self {
            engine,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, WalState> {
        // No code under the lock panics midway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and notifies all waiting threads.
    pub(super) fn change(&self, change: impl FnOnce(&mut WalState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until `look` returns a value.
    pub(super) fn wait<T>(&self, mut look: impl FnMut(&mut WalState) -> Option<T>) -> T {
        let mut state = self.lock();
        loop {
            if let Some(found) = look(&mut state) {
                return found;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for a change of the state, at most `timeout` if given. The flag is `true` after a timeout.
    pub(super) fn wait_on<'a>(
        &'a self,
        state: MutexGuard<'a, WalState>,
        timeout: Option<Duration>,
    ) -> (MutexGuard<'a, WalState>, bool) {
        let Some(timeout) = timeout else {
            return (
                self.changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                false,
            );
        };
        let (state, waited) = self
            .changed
            .wait_timeout(state, timeout)
            .unwrap_or_else(PoisonError::into_inner);
        (state, waited.timed_out())
    }

    /// Takes a consistent snapshot. Applied layers leave the memtable under the lock, so whatever the engine lacks at
    /// this moment is in the memtable.
    pub(super) fn snapshot(&self) -> Result<WalSnapshot<E::Snapshot>, EngineError> {
        let state = self.lock();
        Ok(WalSnapshot {
            base: self.engine.snapshot()?,
            layers: state.memtable.layers(),
        })
    }

    /// Waits until everything is in the engine.
    pub(super) fn wait_for_checkpoint(&self) -> Result<(), EngineError> {
        self.change(|state| state.has_waiter = true);
        self.wait(|state| match state.check() {
            Err(error) => Some(Err(error)),
            Ok(()) => (!state.has_unapplied()).then_some(Ok(())),
        })
    }

    /// Publishes a batch that is durable in the log up to `end`. The checkpointer is notified only when the first
    /// change is pending, and when half of the log is in use.
    pub(super) fn publish_append(&self, batch: Batch, number: u64, end: u64) {
        let mut state = self.lock();
        let was_behind = state.has_unapplied();
        let was_half_full = state.ring.is_half_full();
        state.memtable.add(batch);
        state.changed_since.get_or_insert_with(Stopwatch::start);
        state.number = number;
        state.ring.advance_tail(end);
        let is_half_full = state.ring.is_half_full();
        drop(state);
        if !was_behind || (is_half_full && !was_half_full) {
            self.changed.notify_all();
        }
    }

    /// Applies the frozen log to the engine atomically, and calls `pause` between slices.
    pub(super) fn checkpoint(&self, pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        let batches = self.lock().freeze_memtable();
        self.engine.apply_all(&batches, pause)?;
        self.change(WalState::finish_checkpoint);
        // The memory is freed outside of the lock, which writers wait for, because there is much of it.
        for batch in batches {
            batch.drop_in_chunks(PAUSE_EVERY, pause);
        }
        Ok(())
    }
}
