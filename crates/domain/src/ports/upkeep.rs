//! Looking after a store while it is in use.

use super::StoreError;
use crate::vocabulary::Timestamp;
use async_trait::async_trait;

/// The records of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRows {
    /// The table's name.
    pub table: String,
    /// How many records.
    pub rows: u64,
    /// The bytes of their keys and values.
    pub bytes: u64,
}

/// What a round through all records has found. Damage ends a round early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScrubPass {
    /// When it ended.
    pub finished_at: Timestamp,
    /// Damages found; above zero, the round did not get to the end.
    pub damaged: u64,
    /// Every table with records in it, as far as the round got.
    pub tables: Vec<TableRows>,
}

/// What one call of [`MaintenanceStore::scrub`] has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScrubProgress {
    /// Records that it looked at.
    pub verified: u64,
    /// Records that the round has seen so far, these included.
    pub verified_in_pass: u64,
    /// The damages that it found, each with its table, the digest of its key, and what is wrong.
    pub damage: Vec<String>,
    /// The round, if this call ended it.
    pub finished: Option<ScrubPass>,
    /// Why that round will be forgotten when the store is closed. This is no reason to stop.
    pub persist_error: Option<String>,
}

/// What a store takes up on its disk, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUse {
    /// Everything but raw evidence.
    pub main: u64,
    /// Raw evidence.
    pub evidence: u64,
    /// What is free on the file system.
    pub free: u64,
    /// With less than this free, no more evidence is taken, so that lookups go on being recorded.
    pub reserve: u64,
}

/// How a store is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreStatus {
    /// What it takes up, if it lies on a disk.
    pub disk: Option<DiskUse>,
    /// When this process last made a change durable.
    pub committed_at: Option<Timestamp>,
    /// The last round through all records, of this process or of one before.
    pub last_scrub: Option<ScrubPass>,
}

/// What keeps a store sound while it is in use.
#[async_trait]
pub trait MaintenanceStore: Send + Sync {
    /// Looks at the next records, at most `records`: at their checksums, and at whether what they lead to is there. Behind
    /// the last record it begins at the first again. `None` from a store that has nothing to look at. Blocks.
    ///
    /// - `scrub_goes_round`: a round sees every record that was there all along, once, however it is sliced.
    /// - `scrub_raises_no_false_alarm`: changes that are made meanwhile are never taken for damage.
    ///
    /// Damage that is found stops the store as if it had been read by a request: [`Health::Failed`](super::Health::Failed).
    fn scrub(&self, records: usize) -> Result<Option<ScrubProgress>, StoreError>;

    /// How the store is doing. It counts nothing, so it is quick however large the store is. Blocks.
    fn status(&self) -> Result<StoreStatus, StoreError>;

    /// Asks for the turn to do what is done beside serving, such as removing what is old; whether this node has it, for some
    /// seconds from now. Who asks again within them keeps it. A slice of such work is made by who has just been told so. It is to
    /// be harmless when it is made twice: a node that was held up may make its slice late, when another one has the turn.
    ///
    /// - `the_only_node_has_the_turn`: whenever it asks.
    /// - `one_node_has_the_turn`: of several nodes, whatever their clocks say, until it is closed or has not asked for some
    ///   seconds. Then it is the next one's that asks.
    async fn try_acquire_lease(&self) -> Result<bool, StoreError> {
        Ok(true)
    }
}
