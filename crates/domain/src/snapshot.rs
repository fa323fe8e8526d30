//! Reward snapshots: the verdicts of a list of addresses, and the Merkle tree of their rewards.

mod amount;
mod job;
mod merkle_tree;
mod row;

pub use amount::{TokenAmount, TokenAmountError};
pub use job::{
    ListedAddress, SliceRequest, Snapshot, SnapshotPause, SnapshotSource, SnapshotState, SnapshotStateError,
    SnapshotStep,
};
pub use merkle_tree::{EmptyTreeError, MerkleLeaf, MerkleTree};
pub use row::SnapshotRow;
