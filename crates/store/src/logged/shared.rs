//! What the one who writes, those who read and the one who folds share.

use super::entry::LogId;
use super::marker::CheckpointRecord;
use super::overlay::{Memtable, WalSnapshot};
use super::ring::Ring;
use crate::{Batch, Engine, EngineError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Changes whose memory is given back between two pauses: a few hundred microseconds.
const PAUSE_EVERY: usize = 1000;

/// A database with its log.
pub(super) struct WalCore<E> {
    pub(super) engine: E,
    state: Mutex<WalState>,
    changed: Condvar,
}

/// How far the log and the database are.
pub(super) struct WalState {
    /// What is not in the database yet.
    pub(super) memtable: Memtable,
    /// The log that holds it; `None` if no log is in use.
    pub(super) log: Option<LogId>,
    /// The number of the last entry.
    pub(super) number: u64,
    /// The part of the log that is in use.
    pub(super) ring: Ring,
    /// Up to where the log was sealed.
    frozen_up_to: u64,
    /// Whether somebody waits for everything to be in the database.
    pub(super) has_waiter: bool,
    /// Whether this is the end of it.
    pub(super) is_closing: bool,
    /// Why nothing gets into the database any more, or for now, if that is so.
    pub(super) error: Option<EngineError>,
}

impl WalState {
    pub(super) fn new(overlay: Memtable, marker: &CheckpointRecord, ring: Ring) -> Self {
        let (log, number) = (marker.log, marker.number);
        let (is_awaited, is_closing) = (false, false);
        Self { memtable: overlay, log, number, ring, frozen_up_to: 0, has_waiter: is_awaited, is_closing, error: None }
    }

    /// An error if nothing gets into the database.
    pub(super) fn check(&self) -> Result<(), EngineError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// An error if nothing ever gets into the database any more.
    pub(super) fn check_failed(&self) -> Result<(), EngineError> {
        if self.is_full() { Ok(()) } else { self.check() }
    }

    /// Whether there is no space for what is to be folded.
    pub(super) const fn is_full(&self) -> bool {
        matches!(self.error, Some(EngineError::Full(_)))
    }

    /// Whether the database lacks something that is in the log.
    pub(super) fn has_unapplied(&self) -> bool {
        !self.memtable.is_empty()
    }

    /// Whether somebody waits for what is in the log to be folded.
    pub(super) const fn has_waiters(&self) -> bool {
        self.has_waiter || self.is_closing
    }

    /// What goes to the database next.
    fn freeze_memtable(&mut self) -> Vec<Batch> {
        if !self.memtable.has_frozen() {
            self.frozen_up_to = self.ring.tail();
        }
        let offset = self.ring.offset(self.frozen_up_to);
        self.memtable.freeze(&CheckpointRecord { log: self.log, number: self.number, offset })
    }

    /// What was sealed is in the database.
    fn finish_checkpoint(&mut self) {
        self.memtable.drop_frozen();
        self.ring.advance_head(self.frozen_up_to);
        if self.is_full() {
            self.error = None;
        }
    }
}

impl<E: Engine> WalCore<E> {
    pub(super) fn new(engine: E, state: WalState) -> Self {
        Self { engine, state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, WalState> {
        // Nothing under the lock can panic half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and lets everybody know who waits for a change.
    pub(super) fn change(&self, change: impl FnOnce(&mut WalState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until `look` finds what it looks for.
    pub(super) fn wait<T>(&self, mut look: impl FnMut(&mut WalState) -> Option<T>) -> T {
        let mut state = self.lock();
        loop {
            if let Some(found) = look(&mut state) {
                return found;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for a change of this state, for so long if that is given.
    pub(super) fn wait_on<'a>(
        &'a self,
        state: MutexGuard<'a, WalState>,
        timeout: Option<Duration>,
    ) -> (MutexGuard<'a, WalState>, bool) {
        let Some(patience) = timeout else {
            return (self.changed.wait(state).unwrap_or_else(PoisonError::into_inner), false);
        };
        let (state, waited) = self.changed.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
        (state, waited.timed_out())
    }

    /// A consistent view. What a fold has brought into the database leaves the overlay under the lock, so whatever the database
    /// lacks at this moment is in the overlay.
    pub(super) fn snapshot(&self) -> Result<WalSnapshot<E::Snapshot>, EngineError> {
        let state = self.lock();
        Ok(WalSnapshot { base: self.engine.snapshot()?, layers: state.memtable.layers() })
    }

    /// Waits until everything is in the database.
    pub(super) fn wait_for_checkpoint(&self) -> Result<(), EngineError> {
        self.change(|state| state.has_waiter = true);
        self.wait(|state| match state.check() {
            Err(error) => Some(Err(error)),
            Ok(()) => (!state.has_unapplied()).then_some(Ok(())),
        })
    }

    /// Takes over a batch that is durable in the log up to `end`. The one who folds is told when there is something to fold, and
    /// when half of the log is in use; nothing in between.
    pub(super) fn publish_append(&self, batch: Batch, number: u64, end: u64) {
        let mut state = self.lock();
        let (was_behind, was_half_full) = (state.has_unapplied(), state.ring.is_half_full());
        state.memtable.add(batch);
        state.number = number;
        state.ring.advance_tail(end);
        let is_half_full = state.ring.is_half_full();
        drop(state);
        if !was_behind || (is_half_full && !was_half_full) {
            self.changed.notify_all();
        }
    }

    /// Brings what is in the log into the database, at once, with pauses.
    pub(super) fn checkpoint(&self, pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        let batches = self.lock().freeze_memtable();
        self.engine.apply_all(&batches, pause)?;
        self.change(WalState::finish_checkpoint);
        // Only here does it end: there is much of it, and whoever writes waits for the lock.
        for batch in batches {
            batch.drop_in_chunks(PAUSE_EVERY, pause);
        }
        Ok(())
    }
}
