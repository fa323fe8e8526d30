//! Layout constants and types that reading and writing of dumps share.

use super::DUMP_VERSION;
use crate::FORMAT;
use std::fmt;
use std::io;
use voight_domain::ports::StoreError;
use voight_engine::EngineError;

/// First bytes of every dump. The bytes after the name reveal a transfer that converted line ends or stripped the high
/// bit.
pub(super) const MAGIC: [u8; 12] = *b"voight\r\n\x1a\n\xf0\0";
/// Maximum number of bytes of a record. A larger length indicates damage, and no memory is allocated for it.
pub(super) const RECORD_BYTES: u32 = 16 << 20;
/// Marker in place of a key length that starts the trailer. No key is empty.
pub(super) const TRAILER: u16 = 0;

/// Number of bytes of the checksum of a record.
pub(super) const CHECKSUM: usize = 8;

/// Returns the checksum of a record in a dump.
pub(super) fn checksum(key: &[u8], record: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    // The length prefix prevents an undetected shift of bytes between key and record.
    hasher
        .update(&(key.len() as u64).to_be_bytes())
        .update(key)
        .update(record);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    short
}

/// Number of records and hash of a dump. Two stores with the same records have the same summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DumpSummary {
    /// Number of records.
    pub rows: u64,
    /// BLAKE3 hash of all bytes before it.
    pub hash: [u8; 32],
}

impl DumpSummary {
    /// Returns the hash as 64 hexadecimal digits.
    pub fn hash_text(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.hash)
    }
}

/// Error of writing or reading a dump.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The file is not a dump.
    #[error(
        "it is not a backup of this service: name a file that `voight store backup` has written"
    )]
    NotADump,
    /// A newer release wrote the dump.
    #[error(
        "it has {what} {found} and this release knows up to {known}: use the release that wrote it, or a later one"
    )]
    Newer {
        /// Subject of the version: the dump layout, or the record format.
        what: &'static str,
        /// Version of the dump.
        found: u32,
        /// Newest version that this release reads.
        known: u32,
    },
    /// The dump ends before its trailer.
    #[error("it is incomplete: its end is missing; take another copy")]
    Truncated,
    /// The dump was changed after it was written.
    #[error("it is damaged ({0}): take another copy")]
    Damaged(String),
    /// The store that is being dumped is damaged.
    #[error("the store is damaged ({0}): restore it from an earlier backup")]
    Store(String),
    /// The store that is being dumped cannot be read.
    #[error("the store cannot be read ({0}): check its disk")]
    ReadFailed(EngineError),
    /// The dump cannot be read or written.
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

/// Maps errors of the dump itself to `NotApplied`, because the store is intact.
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
    pub(super) fn newer_layout(version: u16) -> Self {
        Self::Newer {
            what: "the backup format",
            found: version.into(),
            known: DUMP_VERSION.into(),
        }
    }

    pub(super) const fn newer_records(found: u32) -> Self {
        Self::Newer {
            what: "the record format",
            found,
            known: FORMAT,
        }
    }

    pub(super) fn damaged(what: impl fmt::Display) -> Self {
        Self::Damaged(what.to_string())
    }
}
