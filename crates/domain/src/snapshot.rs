//! Reward snapshots: the verdicts of a list of addresses, and the Merkle tree of their rewards.

mod amount;
mod amount_text;
mod creation;
mod job;
mod manifest;
mod merkle_tree;
mod row;

pub use amount::{TokenAmount, TokenAmountError};
pub use amount_text::{AmountProblem, AmountUnit, MAX_AMOUNT_DECIMALS, looks_like_number};
pub use creation::{MAX_SNAPSHOTS, SnapshotCreation};
pub use job::{
    SliceInput, Snapshot, SnapshotChange, SnapshotFacts, SnapshotPause, SnapshotProgress,
    SnapshotSource, SnapshotState, SnapshotStateError, SnapshotStep,
};
pub use manifest::{MANIFEST_TYPE, SnapshotManifest};
pub use merkle_tree::{EmptyTreeError, MerkleLeaf, MerkleTree};
pub use row::{ListedAddress, RewardRule, SnapshotRow, SnapshotSlice};
