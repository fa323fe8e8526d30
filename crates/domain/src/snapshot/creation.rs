//! Creation of a snapshot.

use super::Snapshot;

/// Maximum number of stored snapshots of a client.
pub const MAX_SNAPSHOTS: usize = 100;

/// Decision on the creation of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotCreation {
    /// The new snapshot is stored.
    Created(Snapshot),
    /// A snapshot with the same id is stored already and stays as it is.
    Existing(Snapshot),
    /// The client has [`MAX_SNAPSHOTS`] snapshots.
    LimitReached,
}

impl Snapshot {
    /// Decides the creation of this snapshot. Pure: a store reads the facts and writes the snapshot in one transaction.
    ///
    /// `stored` is the stored snapshot with the same id, and `count` the number of the client's snapshots.
    pub fn creation(self, stored: Option<Self>, count: usize) -> SnapshotCreation {
        match stored {
            Some(stored) => SnapshotCreation::Existing(stored),
            None if count >= MAX_SNAPSHOTS => SnapshotCreation::LimitReached,
            None => SnapshotCreation::Created(self),
        }
    }
}
