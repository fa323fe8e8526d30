//! Row of a snapshot.

use super::TokenAmount;
use crate::verdict::{Answer, Detail};
use crate::vocabulary::EoaAddress;

/// Address of a snapshot with its verdict at the time of the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotRow {
    /// The address.
    pub address: EoaAddress,
    /// Answer of a lookup of the address.
    pub answer: Answer,
    /// Basis of the answer.
    pub detail: Detail,
    /// Reward that the platform listed for the address.
    pub amount: Option<TokenAmount>,
    /// Identifier of the cluster of the address within the snapshot.
    pub cluster: Option<[u8; 8]>,
    /// `true` if the address exceeds the limit of its cluster.
    pub is_over_limit: bool,
    /// Answer of the draft, if the final one differs.
    pub draft: Option<Answer>,
}
