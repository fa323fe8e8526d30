//! The end of threads that go on until they are told.

use std::sync::atomic::{AtomicBool, Ordering};

/// Says whether it is time to end.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

/// Says stop when dropped: also when the thread that holds it panics, so that nobody waits for the others for ever.
#[must_use]
#[derive(Debug)]
pub struct StopGuard<'a>(&'a StopFlag);

impl StopFlag {
    /// Whether it is time to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Says stop when what is returned is dropped.
    pub const fn at_end(&self) -> StopGuard<'_> {
        StopGuard(self)
    }
}

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::SeqCst);
    }
}
