//! Backups: a complete store in one stream of bytes.

use serde::Serialize;
use std::io::Read;
use voight_domain::Timestamp;
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{DumpError, DumpSummary, Identity, read_dump};

/// Content summary of a store. Equal summaries mean equal content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ContentHash {
    /// Number of records.
    pub(crate) rows: u64,
    /// BLAKE3 hash of the store's dump.
    pub(crate) hash: String,
}

/// Identity and content of a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackupSummary {
    /// Id of the store: a ULID in lower case.
    pub(crate) identity: String,
    /// Version of the record format.
    pub(crate) format: u32,
    /// Creation time of the store.
    pub(crate) created_at: Timestamp,
    /// Commitment to the pepper of the store.
    pub(crate) pepper: PepperCommitment,
    /// Content of the store.
    pub(crate) content: ContentHash,
}

/// Error of an invalid backup.
#[derive(Debug)]
pub(crate) struct BackupError {
    /// `true` if the backup ends too early, or could not be read to its end.
    pub(crate) is_incomplete: bool,
    /// Reason and remedy, as the end of a sentence about the backup.
    pub(crate) message: String,
}

/// Verifies a backup by reading it to its end. An incomplete or damaged backup is an error.
pub(crate) fn read_backup(input: impl Read) -> Result<BackupSummary, BackupError> {
    read_dump(input)
        .map(BackupSummary::from)
        .map_err(|error| BackupError {
            is_incomplete: matches!(
                error,
                DumpError::Truncated | DumpError::NotADump | DumpError::Io(_)
            ),
            message: error.to_string(),
        })
}

impl From<DumpSummary> for ContentHash {
    fn from(summary: DumpSummary) -> Self {
        Self {
            rows: summary.rows,
            hash: summary.hash_text(),
        }
    }
}

impl From<(Identity, DumpSummary)> for BackupSummary {
    fn from((of, summary): (Identity, DumpSummary)) -> Self {
        Self {
            identity: of.id(),
            format: of.format(),
            created_at: of.created_at(),
            pepper: of.pepper(),
            content: summary.into(),
        }
    }
}
