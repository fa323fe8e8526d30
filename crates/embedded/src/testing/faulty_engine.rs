//! Map engine with injectable faults, for unit tests.

use crate::testing::{Map, MapEngine, Snapshot};
use crate::{Batch, Engine, EngineError};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Map engine with injectable faults. Clones share map and faults.
#[derive(Debug, Clone, Default)]
pub(crate) struct FaultyEngine {
    map: MapEngine,
    faults: Arc<Faults>,
}

/// Effect of a commit that fails.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FailedBatch {
    /// The batch is applied nevertheless.
    Applied,
    /// The batch has no effect.
    Discarded,
}

#[derive(Debug, Default)]
struct Faults {
    applies: AtomicUsize,
    pauses: AtomicUsize,
    gate: Mutex<()>,
    apply: Mutex<VecDeque<Option<(EngineError, FailedBatch)>>>,
    recover: Mutex<VecDeque<EngineError>>,
    panics: AtomicBool,
    is_full: AtomicBool,
    is_closed: AtomicBool,
}

impl FaultyEngine {
    /// Makes the next commit fail with `error`.
    pub(crate) fn fail_apply(&self, error: EngineError, batch: FailedBatch) {
        self.faults
            .apply
            .lock()
            .unwrap()
            .push_back(Some((error, batch)));
    }

    /// Lets the next `number` commits succeed before the next injected failure.
    pub(crate) fn pass_applies(&self, number: usize) {
        self.faults
            .apply
            .lock()
            .unwrap()
            .extend(std::iter::repeat_n(None, number));
    }

    /// Makes each commit that accepts pauses call `pause` `number` times.
    pub(crate) fn set_pauses(&self, number: usize) {
        self.faults.pauses.store(number, Ordering::SeqCst);
    }

    /// Makes the next recovery fail.
    pub(crate) fn fail_recover(&self, error: EngineError) {
        self.faults.recover.lock().unwrap().push_back(error);
    }

    /// Makes `has_free_space` return `false`.
    pub(crate) fn fill_disk(&self) {
        self.faults.is_full.store(true, Ordering::SeqCst);
    }

    /// Makes `has_free_space` return `true` again.
    pub(crate) fn free_disk(&self) {
        self.faults.is_full.store(false, Ordering::SeqCst);
    }

    /// Makes snapshots fail until the engine is recovered.
    pub(crate) fn close(&self) {
        self.faults.is_closed.store(true, Ordering::SeqCst);
    }

    /// Makes the engine panic on the next snapshot.
    pub(crate) fn panic_on_read(&self) {
        self.faults.panics.store(true, Ordering::SeqCst);
    }

    /// Returns the number of commits that were started.
    pub(crate) fn applies(&self) -> usize {
        self.faults.applies.load(Ordering::SeqCst)
    }

    /// Returns a lock that blocks commits while it is held.
    pub(crate) fn gate(&self) -> &Mutex<()> {
        &self.faults.gate
    }

    /// Returns all entries.
    pub(crate) fn entries(&self) -> Arc<Map> {
        self.map.entries()
    }

    /// Modifies the entries without the store's knowledge.
    pub(crate) fn modify_entries(&self, change: impl FnOnce(&mut Map)) {
        self.map.tamper(change);
    }
}

impl Engine for FaultyEngine {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "faulty"
    }

    fn snapshot(&self) -> Result<Snapshot, EngineError> {
        assert!(!self.faults.panics.load(Ordering::SeqCst), "told to panic");
        if self.faults.is_closed.load(Ordering::SeqCst) {
            return Err(EngineError::Stale);
        }
        self.map.snapshot()
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        self.faults.applies.fetch_add(1, Ordering::SeqCst);
        let _open = self.faults.gate.lock().unwrap();
        match self.faults.apply.lock().unwrap().pop_front().flatten() {
            None => self.map.apply(batch),
            Some((error, FailedBatch::Applied)) => self.map.apply(batch).and(Err(error)),
            Some((error, FailedBatch::Discarded)) => Err(error),
        }
    }

    fn apply_all(&self, batches: &[Batch], pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        for _ in 0..self.faults.pauses.load(Ordering::SeqCst) {
            pause();
        }
        self.apply(&Batch::merged(batches))
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.faults
            .recover
            .lock()
            .unwrap()
            .pop_front()
            .map_or(Ok(()), Err)?;
        self.faults.is_closed.store(false, Ordering::SeqCst);
        Ok(())
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(!self.faults.is_full.load(Ordering::SeqCst))
    }
}
