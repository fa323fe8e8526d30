//! How a storage call fails.

/// Why a storage call failed. Adapters have richer errors of their own and translate them once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Nothing was changed, and the call may be made again: the queue is full, the store is closing, a lock timed out, no
    /// file descriptor is free.
    #[error("the store did not take the call: {0}")]
    NotApplied(String),
    /// It is unknown whether the change was made. The caller must not acknowledge; a repeat must be idempotent.
    #[error("it is unknown whether the change was stored: {0}")]
    MaybeApplied(String),
    /// The change contradicts what is there, for example a name that is taken. Nothing was changed.
    #[error("{0}")]
    Conflict(String),
    /// No space is left. Nothing was changed; reads go on.
    #[error("no space is left for the store: {0}")]
    Full(String),
    /// A record is damaged: its checksum or layout is wrong. It is named, and never served.
    #[error("a stored record is damaged: {0}")]
    Corrupt(String),
    /// The store has stopped for good and acknowledges nothing more.
    #[error("the store has stopped: {0}")]
    Fatal(String),
}
