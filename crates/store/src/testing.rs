//! What several tests need.

use crate::map_engine::{Map, MapEngine, Snapshot};
use crate::{Batch, Engine, EngineError};
use std::collections::VecDeque;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use voight_domain::ports::Clock;
use voight_domain::vocabulary::Timestamp;

/// When everything happens.
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// A clock that stands still.
pub(crate) struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// A map that fails when it is told to. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub(crate) struct FaultyEngine {
    map: MapEngine,
    faults: Arc<Faults>,
}

#[derive(Debug, Default)]
struct Faults {
    applies: AtomicUsize,
    pauses: AtomicUsize,
    gate: Mutex<()>,
    apply: Mutex<VecDeque<Option<(EngineError, bool)>>>,
    recover: Mutex<VecDeque<EngineError>>,
    panics: AtomicBool,
    has_no_room: AtomicBool,
    is_closed: AtomicBool,
}

impl FaultyEngine {
    /// The next commit fails with `error`, and is there all the same if `applied`.
    pub(crate) fn fail_apply(&self, error: EngineError, applied: bool) {
        self.faults.apply.lock().unwrap().push_back(Some((error, applied)));
    }

    /// The next commits succeed, so many of them, before one fails.
    pub(crate) fn pass_applies(&self, number: usize) {
        self.faults.apply.lock().unwrap().extend(std::iter::repeat_n(None, number));
    }

    /// From now on there are so many pauses in a commit that has time for them.
    pub(crate) fn set_pauses(&self, number: usize) {
        self.faults.pauses.store(number, Ordering::SeqCst);
    }

    /// The next recovery fails.
    pub(crate) fn fail_recover(&self, error: EngineError) {
        self.faults.recover.lock().unwrap().push_back(error);
    }

    /// From now on it has room, or has none.
    pub(crate) fn set_room(&self, has_room: bool) {
        self.faults.has_no_room.store(!has_room, Ordering::SeqCst);
    }

    /// From now on it cannot be read until it recovers.
    pub(crate) fn close(&self) {
        self.faults.is_closed.store(true, Ordering::SeqCst);
    }

    /// From now on it panics when it is read.
    pub(crate) fn panic_on_read(&self) {
        self.faults.panics.store(true, Ordering::SeqCst);
    }

    /// How many commits have begun.
    pub(crate) fn applies(&self) -> usize {
        self.faults.applies.load(Ordering::SeqCst)
    }

    /// Commits wait while this lock is held.
    pub(crate) fn gate(&self) -> &Mutex<()> {
        &self.faults.gate
    }

    /// Everything in it.
    pub(crate) fn entries(&self) -> Arc<Map> {
        self.map.entries()
    }

    /// Changes it behind the store's back.
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
            Some((error, true)) => self.map.apply(batch).and(Err(error)),
            Some((error, false)) => Err(error),
        }
    }

    fn apply_all(&self, batches: &[Batch], pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        for _ in 0..self.faults.pauses.load(Ordering::SeqCst) {
            pause();
        }
        self.apply(&Batch::merged(batches))
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.faults.recover.lock().unwrap().pop_front().map_or(Ok(()), Err)?;
        self.faults.is_closed.store(false, Ordering::SeqCst);
        Ok(())
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(!self.faults.has_no_room.load(Ordering::SeqCst))
    }
}
