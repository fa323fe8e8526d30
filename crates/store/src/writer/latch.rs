//! Whether a writer still writes.

use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::ports::{Health, StoreError};

/// The writer's health. A failure is for good: only a new process, which reads everything from disk again, may go on.
#[derive(Debug)]
pub(crate) struct Latch {
    health: Mutex<Health>,
}

impl Default for Latch {
    fn default() -> Self {
        Self { health: Mutex::new(Health::Ready) }
    }
}

impl Latch {
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

    /// Notes that there is no space, until a write succeeds.
    pub(super) fn full(&self) {
        self.set(Health::Full);
    }

    /// Notes that writes succeed.
    pub(super) fn ready(&self) {
        self.set(Health::Ready);
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
