//! Whether a writer still writes, and when it last did.

use super::FailStop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use voight_domain::ports::{Clock, Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// The writer's health.
pub(crate) struct WriterStatus {
    failure: FailStop,
    is_full: AtomicBool,
    committed_at: Mutex<Option<Timestamp>>,
    clock: Arc<dyn Clock>,
}

impl WriterStatus {
    /// A writer that has made no write yet, and that stops on this failure.
    pub(crate) fn new(clock: Arc<dyn Clock>, failure: FailStop) -> Self {
        Self { failure, is_full: AtomicBool::new(false), committed_at: Mutex::new(None), clock }
    }

    /// What it is now.
    pub(crate) fn health(&self) -> Health {
        match self.failure.reason() {
            Some(why) => Health::Failed(why.to_owned()),
            None if self.is_full.load(Ordering::Acquire) => Health::OutOfSpace,
            None => Health::Ready,
        }
    }

    /// An error if the store has stopped for good.
    pub(super) fn ensure_running(&self) -> Result<(), StoreError> {
        self.failure.reason().map_or(Ok(()), |why| Err(StoreError::Fatal(why.to_owned())))
    }

    /// Notes that there is no space, until there is some or a write succeeds.
    pub(super) fn set_out_of_space(&self) {
        self.is_full.store(true, Ordering::Release);
    }

    /// Notes that writes succeed, or will as far as is known.
    pub(super) fn set_ready(&self) {
        self.is_full.store(false, Ordering::Release);
    }

    /// Notes that a write is durable.
    pub(super) fn record_commit(&self) {
        self.set_ready();
        *self.committed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.clock.now());
    }

    /// When a write last became durable.
    pub(super) fn committed_at(&self) -> Option<Timestamp> {
        *self.committed_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the store for good; the first reason stays.
    pub(super) fn fail_stop(&self, why: &str) {
        self.failure.set(why);
    }

    /// Stops the store for good if the error shows that what is stored cannot be trusted any more.
    pub(crate) fn fail_stop_on(&self, error: &StoreError) {
        match error {
            StoreError::Corrupt(what) => self.fail_stop(&format!("a stored record is damaged: {what}")),
            StoreError::Fatal(why) => self.fail_stop(why),
            _ => {}
        }
    }
}
