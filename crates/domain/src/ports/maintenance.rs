//! Port of maintenance: scrub, status and leader lease of a store in use.

use super::{CommitSnapshot, StoreError};
use crate::vocabulary::Timestamp;
use async_trait::async_trait;
use std::time::Duration;

/// Size of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRows {
    /// The table's name.
    pub table: String,
    /// The number of records.
    pub rows: u64,
    /// The size of their keys and values, in bytes.
    pub bytes: u64,
}

/// Result of a scrub pass over all records. Damage ends a pass early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScrubPass {
    /// The end of the pass.
    pub finished_at: Timestamp,
    /// The number of damaged records; above zero, the pass is incomplete.
    pub damaged: u64,
    /// Every table with records, as far as the pass got.
    pub tables: Vec<TableRows>,
}

/// Progress of one call of [`MaintenanceStore::scrub`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScrubProgress {
    /// Records that this call verified.
    pub verified: u64,
    /// Records that the pass has verified so far, those of this call included.
    pub verified_in_pass: u64,
    /// The damage that this call found: table, digest of the record key, and error.
    pub damage: Vec<String>,
    /// The result of the pass, if this call completed it.
    pub finished: Option<ScrubPass>,
    /// The error that kept the result of the pass from being stored. The scrubber continues.
    pub persist_error: Option<String>,
}

/// Disk usage of a store, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUse {
    /// All data except raw evidence.
    pub main: u64,
    /// Raw evidence.
    pub evidence: u64,
    /// The free space of the file system.
    pub free: u64,
    /// The reserve: below this free space no evidence is accepted, so that lookups can still be recorded.
    pub reserve: u64,
}

/// Use of a write-ahead log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStatus {
    /// Bytes of the log that a checkpoint has not freed yet.
    pub bytes: u64,
    /// Age of the oldest change that is not in the database yet; zero if all are.
    pub lag: Duration,
}

/// Status of one database of an embedded store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseStatus {
    /// The name of the database: `main` or `evidence`.
    pub name: &'static str,
    /// The number of commands in the queue of the writer.
    pub queued_commands: u64,
    /// The use of the write-ahead log; `None` for an engine without one.
    pub log: Option<LogStatus>,
}

/// Status of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreStatus {
    /// The disk usage, if the store is on a disk.
    pub disk: Option<DiskUse>,
    /// The time of the last durable change of this process.
    pub committed_at: Option<Timestamp>,
    /// The last scrub pass, of this process or of a previous one.
    pub last_scrub: Option<ScrubPass>,
    /// The commits of ledger rows by this process, if the store commits many at once.
    pub ledger_commits: Option<CommitSnapshot>,
    /// The databases of an embedded store.
    pub databases: Vec<DatabaseStatus>,
    /// The size of the stored evidence in bytes; `None` if the store would have to count it.
    pub evidence_bytes: Option<u64>,
}

/// Maintenance of a store in use.
#[async_trait]
pub trait MaintenanceStore: Send + Sync {
    /// Verifies at most the next `records` records: checksums and references. Blocks.
    ///
    /// After the last record the scrub starts a new pass. Returns `None` if the store has nothing to verify. Damage
    /// stops the store as if a request had read it: [`Health::Failed`](super::Health::Failed).
    ///
    /// - `scrub_wraps_around`: a pass verifies every record that exists throughout the pass once, whatever the batch
    ///   sizes.
    /// - `scrub_raises_no_false_alarm`: concurrent changes are never reported as damage.
    fn scrub(&self, records: usize) -> Result<Option<ScrubProgress>, StoreError>;

    /// Returns the status of the store. Nothing is counted, so the call is fast at any size of the store. Blocks.
    fn status(&self) -> Result<StoreStatus, StoreError>;

    /// Acquires or renews the leader lease for background jobs; returns `true` if this node holds it.
    ///
    /// The lease lasts several seconds; a call within that time renews it. A node runs a batch of a background job only
    /// directly after this returned `true`. Batches must be harmless when repeated: a node that was delayed may run its
    /// batch while another node holds the lease.
    ///
    /// - `the_only_node_has_the_turn`: the only node of a store always acquires the lease.
    /// - `one_node_has_the_turn`: of several nodes at most one holds the lease, whatever their clocks say, until that
    ///   node closes the store or has not renewed the lease for several seconds. Then the next node that asks acquires
    ///   it.
    async fn try_acquire_lease(&self) -> Result<bool, StoreError> {
        Ok(true)
    }
}
