//! Status of the store.

use super::{StoreInfo, optional};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::{DiskUse, ScrubPass, StoreStatus, TableRows};

/// Status of the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Store {
    /// Information about the store.
    #[serde(flatten)]
    pub info: StoreInfo,
    /// Disk usage; null if the store is not on a local disk.
    pub disk: Option<Disk>,
    /// Time of the last durable change by the server.
    pub last_commit_at: Option<String>,
    /// Last completed pass of the scrubber.
    pub last_scrub: Option<Scrub>,
}

/// Disk usage in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Disk {
    /// Size of all files except raw evidence.
    pub main_bytes: u64,
    /// Size of raw evidence.
    pub evidence_bytes: u64,
    /// Free space of the file system.
    pub free_bytes: u64,
    /// Reserve: evidence is rejected while less space than this is free.
    pub reserved_bytes: u64,
}

/// Pass of the scrubber.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Scrub {
    /// Time at which the pass ended.
    pub finished_at: String,
    /// Number of verified records.
    pub rows: u64,
    /// Number of corrupt records; the pass ended at the first one.
    pub damaged: u64,
    /// Records by table.
    pub tables: Vec<TableLine>,
}

/// Records of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableLine {
    /// Table name.
    pub table: String,
    /// Number of records.
    pub rows: u64,
    /// Size of the keys and values, in bytes.
    pub bytes: u64,
}

impl Store {
    /// Builds the status of the store that `info` describes.
    pub fn from_info(info: StoreInfo, status: StoreStatus) -> Self {
        Self {
            info,
            disk: status.disk.map(Disk::from),
            last_commit_at: optional(status.committed_at),
            last_scrub: status.last_scrub.map(Scrub::from),
        }
    }
}

impl From<DiskUse> for Disk {
    fn from(disk: DiskUse) -> Self {
        Self {
            main_bytes: disk.main,
            evidence_bytes: disk.evidence,
            free_bytes: disk.free,
            reserved_bytes: disk.reserve,
        }
    }
}

impl From<ScrubPass> for Scrub {
    fn from(round: ScrubPass) -> Self {
        Self {
            finished_at: round.finished_at.to_string(),
            rows: round.tables.iter().map(|table| table.rows).sum(),
            damaged: round.damaged,
            tables: round.tables.into_iter().map(TableLine::from).collect(),
        }
    }
}

impl From<TableRows> for TableLine {
    fn from(rows: TableRows) -> Self {
        Self {
            table: rows.table,
            rows: rows.rows,
            bytes: rows.bytes,
        }
    }
}
