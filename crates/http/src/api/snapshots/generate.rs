//! Generates files of snapshots.

use crate::error::ApiError;
use crate::extract::unwritable;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Seek, Write};
use tokio::runtime::Handle;
use voight_api::ErrorId;
use voight_api::public::SnapshotFormat;
use voight_domain::ports::StoreError;
use voight_domain::services::{SnapshotError, SnapshotService};
use voight_domain::snapshot::{MerkleTree, Snapshot, SnapshotRow};
use voight_domain::verdict::Status;
use voight_files::{RowFormat, WriteError, write_amounts, write_changes, write_merkle_dump, write_rows};

/// Requested file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileRequest {
    pub(super) format: SnapshotFormat,
    /// Number of decimals of the token.
    pub(super) decimals: u8,
}

/// Generated file, positioned at its beginning.
pub(super) struct GeneratedFile {
    pub(super) file: File,
    pub(super) bytes: u64,
    pub(super) sha256: [u8; 32],
    pub(super) statuses: StatusCounts,
}

/// Numbers of rows of a snapshot by status.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StatusCounts {
    pub(super) human: u64,
    pub(super) bot: u64,
    pub(super) unsure: u64,
    pub(super) unknown: u64,
}

impl StatusCounts {
    fn count(&mut self, status: Status) {
        *match status {
            Status::Human => &mut self.human,
            Status::Bot => &mut self.bot,
            Status::Unsure => &mut self.unsure,
            Status::Unknown => &mut self.unknown,
        } += 1;
    }
}

/// Generates a file of a snapshot in an anonymous temporary file. Blocks.
pub(super) fn generate(
    runtime: &Handle,
    service: &SnapshotService,
    snapshot: &Snapshot,
    request: FileRequest,
) -> Result<GeneratedFile, ApiError> {
    if !snapshot.progress.state.is_readable() {
        return Err(SnapshotError::NotReady.into());
    }
    let mut statuses = StatusCounts::default();
    let mut out = HashingFile { file: tempfile::tempfile().map_err(unwritable)?, digest: Sha256::new(), bytes: 0 };
    let rows = rows(runtime, service, snapshot).inspect(|row| {
        if let Ok(row) = row {
            statuses.count(row.detail.status);
        }
    });
    let rewards = &snapshot.rewards;
    let reward = |row: SnapshotRow| rewards.reward(&row).map(|amount| (row.address, amount));
    match request.format {
        SnapshotFormat::Csv => write_rows(RowFormat::Csv, &mut out, rows),
        SnapshotFormat::Ndjson => write_rows(RowFormat::Ndjson, &mut out, rows),
        SnapshotFormat::Parquet => write_rows(RowFormat::Parquet, &mut out, rows),
        SnapshotFormat::Changes => write_changes(&mut out, rows),
        SnapshotFormat::Airdrop => {
            write_amounts(&mut out, request.decimals, rows.filter_map(|row| row.map(reward).transpose()))
        }
        SnapshotFormat::Merkle => {
            let rewards: Vec<_> = rows.filter_map(|row| row.map(reward).transpose()).collect::<Result<_, _>>()?;
            let tree = MerkleTree::new(rewards)
                .map_err(|error| ApiError::with_message(ErrorId::SnapshotConflict, format!("{error}.")))?;
            write_merkle_dump(&mut out, &tree).map_err(WriteError::from)
        }
    }
    .map_err(|error| match error {
        WriteError::Row(error) => ApiError::from(error),
        WriteError::Output(error) => unwritable(error),
    })?;
    let HashingFile { mut file, digest, bytes } = out;
    file.rewind().map_err(unwritable)?;
    Ok(GeneratedFile { file, bytes, sha256: digest.finalize().into(), statuses })
}

/// Iterates over the rows of a snapshot, a slice at a time.
fn rows<'a>(
    runtime: &'a Handle,
    service: &'a SnapshotService,
    snapshot: &'a Snapshot,
) -> impl Iterator<Item = Result<SnapshotRow, StoreError>> + 'a {
    (0..).map_while(move |index| runtime.block_on(service.rows(snapshot, index)).transpose()).flat_map(|slice| {
        let (rows, error) = match slice {
            Ok(rows) => (rows, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        rows.into_iter().map(Ok).chain(error.map(Err))
    })
}

/// File that computes the digest of what is written.
struct HashingFile {
    file: File,
    digest: Sha256,
    bytes: u64,
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
