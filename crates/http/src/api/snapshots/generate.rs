//! Generates files of snapshots.

use crate::error::ApiError;
use crate::spool::{SpoolFile, spool_error};
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use tokio::runtime::Handle;
use voight_api::ErrorId;
use voight_api::public::SnapshotFormat;
use voight_domain::ports::StoreError;
use voight_domain::services::SnapshotService;
use voight_domain::snapshot::{MerkleTree, Snapshot, SnapshotRow};
use voight_domain::verdict::Status;
use voight_files::{
    RowFormat, WriteError, write_amounts, write_changes, write_merkle_dump, write_rows,
};

/// Requested file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FileRequest {
    pub(super) format: SnapshotFormat,
    /// Number of decimals of the token.
    pub(super) decimals: u8,
}

/// Generated file.
#[derive(Debug)]
pub(crate) struct GeneratedFile {
    pub(crate) file: SpoolFile,
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

/// Generates a file of a snapshot in an empty temporary file. Blocks.
pub(super) fn generate(
    runtime: &Handle,
    service: &SnapshotService,
    snapshot: &Snapshot,
    request: FileRequest,
    file: SpoolFile,
) -> Result<GeneratedFile, ApiError> {
    let mut statuses = StatusCounts::default();
    let mut out = HashingFile {
        file,
        digest: Sha256::new(),
        bytes: 0,
    };
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
        SnapshotFormat::Airdrop => write_amounts(
            &mut out,
            request.decimals,
            rows.filter_map(|row| row.map(reward).transpose()),
        ),
        SnapshotFormat::Merkle => {
            let rewards: Vec<_> = rows
                .filter_map(|row| row.map(reward).transpose())
                .collect::<Result<_, _>>()?;
            let tree = MerkleTree::new(rewards).map_err(|error| {
                ApiError::with_message(ErrorId::SnapshotConflict, format!("{error}."))
            })?;
            write_merkle_dump(&mut out, &tree).map_err(WriteError::from)
        }
    }
    .map_err(|error| match error {
        WriteError::Row(error) => ApiError::from(error),
        // Some writers replace the error of the file.
        WriteError::Output(error) => out
            .file
            .rejection()
            .map_or_else(|| spool_error(&error), ApiError::from),
    })?;
    let HashingFile {
        file,
        digest,
        bytes,
    } = out;
    Ok(GeneratedFile {
        file,
        bytes,
        sha256: digest.finalize().into(),
        statuses,
    })
}

/// Iterates over the rows of a snapshot, a slice at a time.
fn rows<'a>(
    runtime: &'a Handle,
    service: &'a SnapshotService,
    snapshot: &'a Snapshot,
) -> impl Iterator<Item = Result<SnapshotRow, StoreError>> + 'a {
    (0..)
        .map_while(move |index| runtime.block_on(service.rows(snapshot, index)).transpose())
        .flat_map(|slice| {
            let (rows, error) = match slice {
                Ok(rows) => (rows, None),
                Err(error) => (Vec::new(), Some(error)),
            };
            rows.into_iter().map(Ok).chain(error.map(Err))
        })
}

/// File that computes the digest of what is written.
struct HashingFile {
    file: SpoolFile,
    digest: Sha256,
    bytes: u64,
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let byte_count = self.file.write(bytes)?;
        self.digest.update(&bytes[..byte_count]);
        self.bytes += byte_count as u64;
        Ok(byte_count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
