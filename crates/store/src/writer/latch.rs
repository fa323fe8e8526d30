//! Whether a writer still writes, and when it last did.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_domain::ports::{Clock, Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// The writer's health. A failure is for good: only a new process, which reads everything from disk again, may go on.
pub(crate) struct Latch {
    health: Mutex<Health>,
    committed_at: Mutex<Option<Timestamp>>,
    clock: Arc<dyn Clock>,
}

impl Latch {
    /// A writer that takes writes and has made none yet.
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { health: Mutex::new(Health::Ready), committed_at: Mutex::new(None), clock }
    }

    /// What it is now.
    pub(crate) fn health(&self) -> Health {
        self.lock().clone()
    }

    /// An error if the writer has stopped for good.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match &*self.lock() {
            Health::Failed(why) => Err(StoreError::Fatal(why.clone())),
            Health::Ready | Health::Full => Ok(()),
        }
    }

    /// Notes that there is no space, until there is some or a write succeeds.
    pub(super) fn full(&self) {
        self.set(Health::Full);
    }

    /// Notes that writes succeed, or will as far as is known.
    pub(super) fn ready(&self) {
        self.set(Health::Ready);
    }

    /// Notes that a write is durable.
    pub(super) fn committed(&self) {
        self.set(Health::Ready);
        *self.committed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.clock.now());
    }

    /// When a write last became durable.
    pub(super) fn committed_at(&self) -> Option<Timestamp> {
        *self.committed_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops for good; the first reason stays.
    pub(super) fn stop(&self, why: &str) {
        self.set(Health::Failed(why.to_owned()));
    }

    /// Stops for good if the error shows that what is stored cannot be trusted any more.
    pub(crate) fn stop_on(&self, error: &StoreError) {
        match error {
            StoreError::Corrupt(what) => self.stop(&format!("a stored record is damaged: {what}")),
            StoreError::Fatal(why) => self.stop(why),
            _ => {}
        }
    }

    fn set(&self, next: Health) {
        let mut health = self.lock();
        if !matches!(*health, Health::Failed(_)) {
            *health = next;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
