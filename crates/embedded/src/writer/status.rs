//! Status of the writer: running, out of space or failed, with the time of the last durable commit.

use super::FailStop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use voight_domain::ports::{Clock, CommitHistograms, Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// Shared status of a writer.
pub(crate) struct WriterStatus {
    failure: FailStop,
    is_full: AtomicBool,
    committed_at: Mutex<Option<Timestamp>>,
    commits: CommitHistograms,
    clock: Arc<dyn Clock>,
}

impl WriterStatus {
    /// Creates the status of a writer that has not committed yet and uses `failure` as its fail-stop flag.
    pub(crate) fn new(clock: Arc<dyn Clock>, failure: FailStop) -> Self {
        Self {
            failure,
            is_full: AtomicBool::new(false),
            committed_at: Mutex::new(None),
            commits: CommitHistograms::default(),
            clock,
        }
    }

    /// Returns the current health.
    pub(crate) fn health(&self) -> Health {
        match self.failure.reason() {
            Some(why) => Health::Failed(why.to_owned()),
            None if self.is_full.load(Ordering::Acquire) => Health::OutOfSpace,
            None => Health::Ready,
        }
    }

    /// Returns an error if the store has stopped permanently.
    pub(super) fn ensure_running(&self) -> Result<(), StoreError> {
        self.failure
            .reason()
            .map_or(Ok(()), |why| Err(StoreError::Fatal(why.to_owned())))
    }

    /// Marks the writer as out of space until space is found or a write succeeds.
    pub(super) fn set_out_of_space(&self) {
        self.is_full.store(true, Ordering::Release);
    }

    /// Marks writes as possible.
    pub(super) fn set_ready(&self) {
        self.is_full.store(false, Ordering::Release);
    }

    /// Records the time of a durable commit, and marks writes as possible.
    pub(super) fn record_commit(&self) {
        self.set_ready();
        *self
            .committed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(self.clock.now());
    }

    /// Returns the time of the last durable commit.
    pub(super) fn committed_at(&self) -> Option<Timestamp> {
        *self
            .committed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the histograms of the attempts to commit a group.
    pub(super) const fn commits(&self) -> &CommitHistograms {
        &self.commits
    }

    /// Stops the store permanently. The first reason is kept.
    pub(super) fn fail_stop(&self, why: &str) {
        self.failure.set(why);
    }

    /// Stops the store permanently if the error shows that stored data cannot be trusted.
    pub(crate) fn fail_stop_on(&self, error: &StoreError) {
        match error {
            StoreError::Corrupt(what) => {
                self.fail_stop(&format!("a stored record is corrupt: {what}"));
            }
            StoreError::Fatal(why) => self.fail_stop(why),
            _ => {}
        }
    }
}
