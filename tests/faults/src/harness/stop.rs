//! Flag that stops threads.

use std::sync::atomic::{AtomicBool, Ordering};

/// Flag that tells threads to stop.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

/// Guard that sets the flag when dropped, also in a panic, so that no thread waits forever.
#[must_use]
#[derive(Debug)]
pub struct StopGuard<'a>(&'a StopFlag);

impl StopFlag {
    /// Returns `true` if the threads must stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Returns a guard that sets the flag when dropped.
    pub const fn guard(&self) -> StopGuard<'_> {
        StopGuard(self)
    }
}

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::SeqCst);
    }
}
