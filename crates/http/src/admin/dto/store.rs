//! How a store is doing.

use super::{StoreInfo, optional};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::{DiskUse, ScrubPass, StoreStatus, TableRows};

/// How a store is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Store {
    /// Which one it is.
    #[serde(flatten)]
    pub info: StoreInfo,
    /// What it takes up, if it lies on a disk.
    pub disk: Option<Disk>,
    /// When the server last made a change durable.
    pub last_commit_at: Option<String>,
    /// The last round of the scrubber.
    pub last_scrub: Option<Scrub>,
}

/// What a store takes up, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Disk {
    /// Everything but raw evidence.
    pub main_bytes: u64,
    /// Raw evidence.
    pub evidence_bytes: u64,
    /// What is free on the file system.
    pub free_bytes: u64,
    /// With less than this free, no more evidence is taken.
    pub reserve_bytes: u64,
}

/// A round of the scrubber.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Scrub {
    /// When it ended.
    pub finished_at: String,
    /// Records that it saw.
    pub rows: u64,
    /// Damages that it found; it ended with the first of them.
    pub damaged: u64,
    /// The records by table.
    pub tables: Vec<TableLine>,
}

/// The records of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableLine {
    /// Its name.
    pub table: String,
    /// Records in it.
    pub rows: u64,
    /// Bytes of their keys and values.
    pub bytes: u64,
}

impl Store {
    pub(crate) fn from_info(info: StoreInfo, upkeep: StoreStatus) -> Self {
        Self {
            info,
            disk: upkeep.disk.map(Disk::from),
            last_commit_at: optional(upkeep.committed_at),
            last_scrub: upkeep.last_scrub.map(Scrub::from),
        }
    }
}

impl From<DiskUse> for Disk {
    fn from(disk: DiskUse) -> Self {
        Self {
            main_bytes: disk.main,
            evidence_bytes: disk.evidence,
            free_bytes: disk.free,
            reserve_bytes: disk.reserve,
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
    fn from(found: TableRows) -> Self {
        Self { table: found.table, rows: found.rows, bytes: found.bytes }
    }
}
