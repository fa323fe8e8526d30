//! Errors of opening a store.

use crate::EngineError;

/// Error of opening a store. The message tells the operator what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No store exists at the path.
    #[error("there is no store at {place}: name the path of an existing store")]
    Missing {
        /// Path of the store.
        place: String,
    },
    /// Another process uses the store.
    #[error("{place} is in use by another process: stop that process first, or name another store")]
    InUse {
        /// Path of the store.
        place: String,
    },
    /// A newer release wrote the store.
    #[error(
        "{place} has format {found} and this release knows formats up to {known}: start the release that wrote it, or a later one"
    )]
    Newer {
        /// Path of the store.
        place: String,
        /// Format of the store.
        found: u32,
        /// Newest format that this release reads.
        known: u32,
    },
    /// The store was created with another pepper.
    #[error(
        "{place} was created with another pepper, so none of its keys would work: start with the pepper it was created with"
    )]
    OtherPepper {
        /// Path of the store.
        place: String,
    },
    /// The sidecar exists, but the store is missing or empty.
    #[error(
        "{place} is missing or empty, but {sidecar} says that a store was there: restore it from a backup, or remove {sidecar} to begin with an empty one"
    )]
    DatabaseMissing {
        /// Expected path of the store.
        place: String,
        /// Path of the sidecar.
        sidecar: String,
    },
    /// The path holds something other than a store.
    #[error("{place} is not a store of this service, and was not modified: name another path")]
    NotAStore {
        /// Path of the foreign file or directory.
        place: String,
    },
    /// The files belong to different stores.
    #[error(
        "{place} belongs to store {found}, but store {expected} is expected there: put the files of one store back together"
    )]
    PartsMismatch {
        /// Path of the file with the other identity.
        place: String,
        /// Id of the store that the file belongs to.
        found: String,
        /// Id of the store that the other files belong to.
        expected: String,
    },
    /// The store is damaged and cannot be read.
    #[error("{place} is damaged ({what}): restore it from a backup")]
    Damaged {
        /// Path of the damaged file.
        place: String,
        /// Description of the damage.
        what: String,
    },
    /// A file is damaged in a way that the operator can repair by hand.
    #[error("{place} is damaged ({what}): {remedy}, or restore the store from a backup")]
    ManualRepairNeeded {
        /// Path of the damaged file.
        place: String,
        /// Description of the damage.
        what: String,
        /// Instruction for the repair.
        remedy: String,
    },
    /// The store has an older format, and the backup before its migration failed.
    #[error(
        "{place} has format {found}, and before the migration to format {known} it is backed up to {backup}, which cannot be written ({what}): free some space there and allow this user to write there, then start again"
    )]
    NoBackup {
        /// Path of the store.
        place: String,
        /// Format of the store.
        found: u32,
        /// Format of this release.
        known: u32,
        /// Path of the backup that cannot be written.
        backup: String,
        /// Reason of the failure.
        what: String,
    },
    /// The operating system returned an error.
    #[error(
        "{place} cannot be opened ({what}): check the path, its permissions and the space on its disk"
    )]
    Io {
        /// Path of the file.
        place: String,
        /// Message of the operating system.
        what: String,
    },
}

impl OpenError {
    /// Creates the error for a failure of the operating system.
    pub fn io(place: impl std::fmt::Display, what: impl std::fmt::Display) -> Self {
        Self::Io {
            place: place.to_string(),
            what: what.to_string(),
        }
    }

    /// Creates the error for a failure of the engine.
    pub fn from_engine(place: impl std::fmt::Display, error: EngineError) -> Self {
        match error {
            EngineError::Corrupt(what) => Self::damaged(place, what),
            error => Self::io(place, error),
        }
    }

    /// Creates the error for a file that cannot be read because it is damaged.
    pub fn damaged(place: impl std::fmt::Display, what: impl std::fmt::Display) -> Self {
        Self::Damaged {
            place: place.to_string(),
            what: what.to_string(),
        }
    }
}
