//! Errors of storage calls.

use std::fmt;

/// Error of a storage call. Adapters have richer errors of their own and translate them once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Nothing was changed, and the caller may retry.
    ///
    /// The queue is full, the store is closing, a lock timed out, or no file descriptor is free.
    #[error("the store rejected the call: {0}")]
    NotApplied(String),
    /// The commit outcome is unknown. The caller must not acknowledge the change; a retry must be idempotent.
    #[error("it is unknown whether the change was stored: {0}")]
    MaybeApplied(String),
    /// The change contradicts stored data, for example a name that is in use. Nothing was changed.
    #[error("{0}")]
    Conflict(String),
    /// No space is left. Nothing was changed; reads still succeed.
    #[error("no space is left for the store: {0}")]
    Full(String),
    /// A record is corrupt: its checksum or layout is wrong. The message names the record, which is never served.
    #[error("a stored record is corrupt: {0}")]
    Corrupt(String),
    /// The store has stopped permanently and acknowledges no further change.
    #[error("the store has stopped: {0}")]
    Fatal(String),
}

impl StoreError {
    /// Creates the error of a change that a rule of the domain rejects.
    pub fn conflict(rejection: impl fmt::Display) -> Self {
        Self::Conflict(rejection.to_string())
    }
}
