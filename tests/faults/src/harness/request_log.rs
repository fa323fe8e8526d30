//! Request log: requests of clients and the responses of the server, kept outside of the store.

use super::{ApiClient, LookupResult};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Outcomes of the lookups of one client. Each lookup has a number and its own address.
#[derive(Default)]
pub struct RequestLog {
    next_number: AtomicU64,
    outcomes: Mutex<HashMap<u64, LookupResult>>,
}

impl RequestLog {
    /// Returns the number of a new lookup.
    pub fn next(&self) -> u64 {
        self.next_number.fetch_add(1, Ordering::Relaxed)
    }

    /// Records the outcome of a lookup.
    pub fn note(&self, number: u64, outcome: LookupResult) {
        self.outcomes().insert(number, outcome);
    }

    /// Sends one lookup and records its outcome.
    pub fn send_lookup(&self, client: &mut ApiClient<'_>) -> LookupResult {
        let number = self.next();
        let outcome = client.look_up(number, None);
        self.note(number, outcome.clone());
        outcome
    }

    /// Sends one lookup unless its number has reached `end`. Returns `true` if it was sent.
    pub fn send_lookup_below(&self, end: u64, client: &mut ApiClient<'_>) -> bool {
        let number = self.next();
        if number < end {
            self.note(number, client.look_up(number, None));
        }
        number < end
    }

    /// Returns the number of lookups with a recorded outcome.
    pub fn completed(&self) -> u64 {
        self.outcomes().len() as u64
    }

    /// Returns the number of rejected lookups.
    pub fn rejected(&self) -> usize {
        self.outcomes()
            .values()
            .filter(|outcome| **outcome == LookupResult::Rejected)
            .count()
    }

    pub(super) fn outcomes(&self) -> MutexGuard<'_, HashMap<u64, LookupResult>> {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
