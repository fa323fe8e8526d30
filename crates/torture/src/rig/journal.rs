//! What clients asked of a server and what they were told. It lies outside of the store.

use super::ApiClient;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::vocabulary::EoaAddress;

/// What became of a lookup, as its client saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupResult {
    /// It was answered; its row was named.
    Answered(AnsweredLookup),
    /// It was refused for now, and told when to come again.
    Refused,
    /// It was answered as no lookup may be.
    Wrong(String),
    /// There was no answer.
    Unknown,
}

/// What an answer says of its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredLookup {
    /// Its sequence number.
    pub seq: u64,
    /// The chain's head after it.
    pub head: String,
}

/// What the lookups of one client came to. Each has a number, and asks about an address that no other asks about.
#[derive(Default)]
pub struct RequestLog {
    asked: AtomicU64,
    outcomes: Mutex<HashMap<u64, LookupResult>>,
}

impl RequestLog {
    /// The number of a new lookup.
    pub fn next(&self) -> u64 {
        self.asked.fetch_add(1, Ordering::Relaxed)
    }

    /// Writes down what became of a lookup.
    pub fn note(&self, number: u64, outcome: LookupResult) {
        self.outcomes().insert(number, outcome);
    }

    /// Asks once, and writes down what came of it.
    pub fn send_lookup(&self, customer: &mut ApiClient<'_>) -> LookupResult {
        let number = self.next();
        let outcome = customer.look_up(number, None);
        self.note(number, outcome.clone());
        outcome
    }

    /// Asks once more unless so many have been asked; whether it has.
    pub fn ask_below(&self, end: u64, customer: &mut ApiClient<'_>) -> bool {
        let number = self.next();
        if number < end {
            self.note(number, customer.look_up(number, None));
        }
        number < end
    }

    /// Of how many lookups it is written down what became of them.
    pub fn completed(&self) -> u64 {
        self.outcomes().len() as u64
    }

    /// How many lookups were refused so far.
    pub fn refused(&self) -> usize {
        self.outcomes().values().filter(|outcome| **outcome == LookupResult::Refused).count()
    }

    pub(super) fn outcomes(&self) -> MutexGuard<'_, HashMap<u64, LookupResult>> {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address that the lookup of this number asks about.
pub fn address_of(number: u64) -> EoaAddress {
    let mut bytes = [0; 20];
    for (place, byte) in bytes.iter_mut().rev().zip(number.to_le_bytes()) {
        *place = byte;
    }
    EoaAddress::from_bytes(bytes)
}

/// The number of the lookup that asked about this address.
pub fn lookup_number(address: EoaAddress) -> u64 {
    address.as_bytes().iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
