//! Map engine with injectable faults.

use crate::testing::{Map, MapEngine, Snapshot};
use crate::{Batch, Engine, EngineError};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Map engine with injectable faults. Clones share map and faults.
#[derive(Debug, Clone, Default)]
pub struct FaultyEngine {
    map: MapEngine,
    faults: Arc<Faults>,
}

/// Effect of a commit that fails.
#[derive(Debug, Clone, Copy)]
pub enum FailedBatch {
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
    pub fn fail_apply(&self, error: EngineError, batch: FailedBatch) {
        lock(&self.faults.apply).push_back(Some((error, batch)));
    }

    /// Lets the next `number` commits succeed before the next injected failure.
    pub fn pass_applies(&self, number: usize) {
        lock(&self.faults.apply).extend(std::iter::repeat_n(None, number));
    }

    /// Makes each commit that accepts pauses call `pause` `number` times.
    pub fn set_pauses(&self, number: usize) {
        self.faults.pauses.store(number, Ordering::SeqCst);
    }

    /// Makes the next recovery fail.
    pub fn fail_recover(&self, error: EngineError) {
        lock(&self.faults.recover).push_back(error);
    }

    /// Makes `has_free_space` return `false`.
    pub fn fill_disk(&self) {
        self.faults.is_full.store(true, Ordering::SeqCst);
    }

    /// Makes `has_free_space` return `true` again.
    pub fn free_disk(&self) {
        self.faults.is_full.store(false, Ordering::SeqCst);
    }

    /// Makes snapshots fail until the engine is recovered.
    pub fn close(&self) {
        self.faults.is_closed.store(true, Ordering::SeqCst);
    }

    /// Makes the engine panic on the next snapshot.
    pub fn panic_on_read(&self) {
        self.faults.panics.store(true, Ordering::SeqCst);
    }

    /// Returns the number of commits that were started.
    pub fn applies(&self) -> usize {
        self.faults.applies.load(Ordering::SeqCst)
    }

    /// Returns a lock that blocks commits while it is held.
    pub fn gate(&self) -> &Mutex<()> {
        &self.faults.gate
    }

    /// Returns all entries.
    pub fn entries(&self) -> Arc<Map> {
        self.map.entries()
    }

    /// Modifies the entries without the store's knowledge.
    pub fn modify_entries(&self, change: impl FnOnce(&mut Map)) {
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
        let _open = lock(&self.faults.gate);
        match lock(&self.faults.apply).pop_front().flatten() {
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
        lock(&self.faults.recover).pop_front().map_or(Ok(()), Err)?;
        self.faults.is_closed.store(false, Ordering::SeqCst);
        Ok(())
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(!self.faults.is_full.load(Ordering::SeqCst))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
