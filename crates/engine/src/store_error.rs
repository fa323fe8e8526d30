//! Conversions between the errors of an engine, of the storage ports, and of opening a store.

use crate::{EngineError, OpenError};
use voight_domain::ports::StoreError;

impl From<EngineError> for StoreError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Full(why) => Self::Full(why),
            EngineError::Corrupt(what) => Self::Corrupt(what),
            EngineError::Io(why) => Self::Fatal(why),
            EngineError::NotApplied(why) => Self::NotApplied(why),
            EngineError::Stale => Self::NotApplied(error.to_string()),
        }
    }
}

impl OpenError {
    /// Creates the error for a database that cannot be read or written.
    pub fn from_store(place: impl std::fmt::Display, error: StoreError) -> Self {
        match error {
            StoreError::Corrupt(what) => Self::damaged(place, what),
            StoreError::Fatal(what) => Self::io(place, what),
            error => Self::io(place, error),
        }
    }
}
