//! Addresses and rows of a snapshot.

use super::TokenAmount;
use crate::verdict::{Answer, Detail, Status};
use crate::vocabulary::EoaAddress;

/// Address of the list of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedAddress {
    /// The address.
    pub address: EoaAddress,
    /// Reward that the platform has listed.
    pub amount: Option<TokenAmount>,
}

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
    /// Answer of the draft, if the final one differs.
    pub draft: Option<Answer>,
}

/// Consecutive part of the list of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SnapshotSlice {
    /// The addresses that are looked up, in ascending order.
    pub rows: Vec<SnapshotRow>,
    /// The addresses that are not looked up yet, in ascending order and after those of the rows.
    pub pending: Vec<ListedAddress>,
}

impl SnapshotSlice {
    /// Returns the addresses that the job processes next: those that are not looked up yet or, if there are none, all.
    pub fn addresses(&self) -> impl Iterator<Item = EoaAddress> {
        let rows = if self.pending.is_empty() {
            self.rows.as_slice()
        } else {
            &[]
        };
        let pending_addresses = self.pending.iter().map(|entry| entry.address);
        pending_addresses.chain(rows.iter().map(|row| row.address))
    }

    /// Returns `true` if the slice contains the address.
    pub fn contains(&self, address: &EoaAddress) -> bool {
        self.rows
            .binary_search_by_key(address, |row| row.address)
            .is_ok()
            || self
                .pending
                .binary_search_by_key(address, |entry| entry.address)
                .is_ok()
    }

    /// Removes an address that was erased.
    pub fn erase(&mut self, address: &EoaAddress) {
        self.rows.retain(|row| row.address != *address);
        self.pending.retain(|entry| entry.address != *address);
    }
}

/// Rule of the rewards of a snapshot. A bot never receives a reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RewardRule {
    /// Reward of an address for which none was listed.
    pub amount: Option<TokenAmount>,
    /// `true` if addresses without a conclusive check receive a reward.
    pub includes_unknown: bool,
    /// `true` if addresses whose checks support neither a human nor a bot receive a reward.
    pub includes_unsure: bool,
}

impl RewardRule {
    /// Returns the reward of a row; `None` if it receives none.
    pub fn reward(&self, row: &SnapshotRow) -> Option<TokenAmount> {
        let is_included = match row.detail.status {
            Status::Human => true,
            Status::Unknown => self.includes_unknown,
            Status::Unsure => self.includes_unsure,
            Status::Bot => false,
        };
        row.amount
            .or(self.amount)
            .filter(|amount| is_included && *amount != TokenAmount::default())
    }
}
