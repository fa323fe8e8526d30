//! What writing and reading share.

use super::DUMP_VERSION;
use crate::{EngineError, FORMAT};
use std::fmt;
use std::io;
use voight_domain::ports::StoreError;

/// What every dump begins with. The bytes behind the name show when a transfer has changed line ends or dropped a bit.
pub(super) const MAGIC: [u8; 12] = *b"voight\r\n\x1a\n\xf0\0";
/// The most bytes of a record; a longer one is damage, and is not asked memory for.
pub(super) const RECORD_BYTES: u32 = 16 << 20;
/// In front of the trailer stands what would be the length of a key; no key is empty.
pub(super) const TRAILER: u16 = 0;

/// What is in a dump. Two stores with the same records have the same summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DumpSummary {
    /// Records.
    pub rows: u64,
    /// BLAKE3 over every byte in front of it.
    pub hash: [u8; 32],
}

impl DumpSummary {
    /// The hash as 64 hexadecimal digits.
    pub fn hash_text(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.hash)
    }
}

/// Why a dump cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// It is something else.
    #[error("it is not a backup of this service: name a file that `voight store backup` has written")]
    NotADump,
    /// A newer release wrote it.
    #[error(
        "it has {what} {found} and this release knows up to {known}: use the release that wrote it, or a later one"
    )]
    Newer {
        /// What is newer: the dump's layout, or the records in it.
        what: &'static str,
        /// Its version.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// It ends before its trailer.
    #[error("it is cut short: it was not written to its end, or not copied whole; take another copy")]
    Truncated,
    /// It is not as it was written.
    #[error("it is damaged ({0}): take another copy")]
    Damaged(String),
    /// The store that is written is damaged.
    #[error("the store is damaged ({0}): restore it from an earlier backup")]
    Store(String),
    /// The store that is written cannot be read.
    #[error("the store cannot be read ({0}): check its disk")]
    ReadFailed(EngineError),
    /// It could not be read or written.
    #[error("{0}: check the path, its permissions and the space on its disk")]
    Io(#[from] io::Error),
}

impl From<EngineError> for DumpError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Corrupt(what) => Self::Store(what),
            error => Self::ReadFailed(error),
        }
    }
}

/// What is wrong with the dump is nothing to the store that it was to be of.
impl From<DumpError> for StoreError {
    fn from(error: DumpError) -> Self {
        match error {
            DumpError::Store(what) => Self::Corrupt(what),
            DumpError::ReadFailed(error) => error.into(),
            error => Self::NotApplied(format!("the backup was not taken: {error}")),
        }
    }
}

impl DumpError {
    pub(super) fn newer_layout(found: u16) -> Self {
        Self::Newer { what: "the backup format", found: found.into(), known: DUMP_VERSION.into() }
    }

    pub(super) const fn newer_records(found: u32) -> Self {
        Self::Newer { what: "the record format", found, known: FORMAT }
    }

    pub(super) fn damaged(what: impl fmt::Display) -> Self {
        Self::Damaged(what.to_string())
    }
}
