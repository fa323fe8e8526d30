//! Why a store is not opened.

use voight_domain::ports::StoreError;

/// Why a store is not opened: what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Nothing is there.
    #[error("there is no store at {place}: name the path of one that is there")]
    Missing {
        /// Where it was looked for.
        place: String,
    },
    /// Another process has it.
    #[error("{place} is in use by another process: stop that process first, or name another store")]
    InUse {
        /// Where the store is.
        place: String,
    },
    /// A newer release wrote it.
    #[error(
        "{place} has format {found} and this release knows formats up to {known}: start the release that wrote it, or a later one"
    )]
    Newer {
        /// Where the store is.
        place: String,
        /// Its format.
        found: u32,
        /// The newest format of this release.
        known: u32,
    },
    /// It was created with another pepper.
    #[error(
        "{place} was created with another pepper, so none of its keys would work: start with the pepper it was created with"
    )]
    OtherPepper {
        /// Where the store is.
        place: String,
    },
    /// The file beside it says that there was a store, and there is none.
    #[error(
        "{place} is missing or empty, but {sidecar} says that a store was there: restore it from a backup, or remove {sidecar} to begin with an empty one"
    )]
    DatabaseMissing {
        /// Where the store should be.
        place: String,
        /// The file that remembers it.
        sidecar: String,
    },
    /// Something else is there.
    #[error("{place} is not a store of this service, and it was left as it is: name another path")]
    NotAStore {
        /// Where it is.
        place: String,
    },
    /// The parts of the store do not belong together.
    #[error(
        "{place} belongs to store {found}, but store {expected} is expected there: put the files of one store back together"
    )]
    PartsMismatch {
        /// The part at fault.
        place: String,
        /// The id of the store it belongs to.
        found: String,
        /// The id of the store it was found with.
        expected: String,
    },
    /// It cannot be read.
    #[error("{place} is damaged ({what}): restore it from a backup")]
    Damaged {
        /// The part at fault.
        place: String,
        /// What is wrong with it.
        what: String,
    },
    /// A part of it is damaged that can be put right by hand.
    #[error("{place} is damaged ({what}): {remedy}, or restore the store from a backup")]
    ManualRepairNeeded {
        /// The part at fault.
        place: String,
        /// What is wrong with it.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// It is of an older format, and could not be backed up before it is brought to this one.
    #[error(
        "{place} has format {found}, and before it is brought to format {known} it is backed up to {backup}, which cannot be written ({what}): free some space there and allow this user to write there, then start again"
    )]
    NoBackup {
        /// Where the store is.
        place: String,
        /// Its format.
        found: u32,
        /// The format of this release.
        known: u32,
        /// The file that cannot be written.
        backup: String,
        /// Why not.
        what: String,
    },
    /// The operating system refused.
    #[error("{place} cannot be opened ({what}): check the path, its permissions and the space on its disk")]
    Io {
        /// The part at fault.
        place: String,
        /// What it said.
        what: String,
    },
}

impl OpenError {
    /// The error of an operating system's refusal.
    pub fn io(place: impl std::fmt::Display, what: impl std::fmt::Display) -> Self {
        Self::Io { place: place.to_string(), what: what.to_string() }
    }

    /// The error of a database that cannot be read or written.
    pub(crate) fn of_store(place: impl std::fmt::Display, error: StoreError) -> Self {
        match error {
            StoreError::Corrupt(what) => Self::damaged(place, what),
            StoreError::Fatal(what) => Self::io(place, what),
            error => Self::io(place, error),
        }
    }

    /// The error of something that cannot be read.
    pub fn damaged(place: impl std::fmt::Display, what: impl std::fmt::Display) -> Self {
        Self::Damaged { place: place.to_string(), what: what.to_string() }
    }
}
