//! Shares of networks and contexts in stored evidence, which select the next check to evict.

use super::EvidenceBatch;
use crate::vocabulary::CheckId;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Divisor of the budget that gives the minimum size of a network's share.
///
/// A smaller share counts as that size, because ordinary visits are not a flood.
const NETWORK_FLOOR: u64 = 8192;
/// Divisor of the budget that gives the minimum size of a context's share.
const CONTEXT_FLOOR: u64 = 16;

/// Share of a network within a context, to which the evidence of a check belongs.
///
/// Networks are hashed with a salt for each context, so one network in several contexts has several shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvidenceShare {
    /// A digest of the context's id.
    pub context: [u8; 8],
    /// The first bytes of the network's hash in that context.
    pub network: [u8; 8],
}

impl EvidenceShare {
    /// Returns the share of the check whose first batch this is.
    pub fn from_first_batch(batch: &EvidenceBatch) -> Self {
        let digest = blake3::hash(batch.challenge.context.as_str().as_bytes());
        Self {
            context: leading(digest.as_bytes()),
            network: leading(&batch.call.network.0),
        }
    }

    /// Returns the concatenation of context and network.
    pub fn to_bytes(self) -> [u8; 16] {
        (u128::from(u64::from_be_bytes(self.context)) << 64
            | u128::from(u64::from_be_bytes(self.network)))
        .to_be_bytes()
    }

    /// Parses the 16 bytes of a share.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        let (context, network) = bytes.split_first_chunk()?;
        Some(Self {
            context: *context,
            network: network.try_into().ok()?,
        })
    }
}

fn leading(bytes: &[u8]) -> [u8; 8] {
    std::array::from_fn(|at| bytes.get(at).copied().unwrap_or_default())
}

/// Running totals of stored evidence by context and network.
///
/// The weight of a share is the bytes of its network times the bytes of its context, each of at least a small part of
/// the budget. The next check to evict is the oldest one of the share with the largest weight; of equal weights, that
/// of the share with the oldest check. Consequences:
///
/// - a flood from one network loses its own evidence before that of any network which sent less, in the same context or
///   in another one that is not larger by the same factor;
/// - a flood from many networks into one context loses evidence of that context before that of a smaller one;
/// - if no share is the largest, the oldest check is evicted first.
///
/// Memory: about 200 bytes per check.
#[derive(Debug, Clone)]
pub struct EvidenceShares {
    budget: u64,
    checks: HashMap<CheckId, (EvidenceShare, u64)>,
    contexts: HashMap<[u8; 8], ContextTotal>,
    /// Contexts by the weight of their heaviest share, with its oldest check.
    order: BTreeSet<(u128, Reverse<CheckId>, [u8; 8])>,
}

#[derive(Debug, Clone, Default)]
struct ContextTotal {
    bytes: u64,
    networks: HashMap<[u8; 8], NetworkTotal>,
    /// Networks by their bytes, with the oldest check of each.
    order: BTreeSet<(u64, Reverse<CheckId>, [u8; 8])>,
}

#[derive(Debug, Clone, Default)]
struct NetworkTotal {
    bytes: u64,
    checks: BTreeSet<CheckId>,
}

impl EvidenceShares {
    /// Creates the totals of a store without evidence, which stores at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        Self {
            budget,
            checks: HashMap::new(),
            contexts: HashMap::new(),
            order: BTreeSet::new(),
        }
    }

    /// Adds bytes of a check. A check stays in its first share.
    pub fn add(&mut self, check: CheckId, share: EvidenceShare, bytes: u64) {
        let (share, total) = self.checks.get(&check).copied().unwrap_or((share, 0));
        self.checks
            .insert(check, (share, total.saturating_add(bytes)));
        self.change(share, |network| {
            network.bytes = network.bytes.saturating_add(bytes);
            network.checks.insert(check);
        });
    }

    /// Removes a check whose evidence was deleted.
    pub fn remove(&mut self, check: CheckId) {
        if let Some((share, bytes)) = self.checks.remove(&check) {
            self.change(share, |network| {
                network.bytes = network.bytes.saturating_sub(bytes);
                network.checks.remove(&check);
            });
        }
    }

    /// Returns the next check to evict; `None` if there is no evidence.
    pub fn next_to_evict(&self) -> Option<CheckId> {
        self.order.last().map(|(_, Reverse(check), _)| *check)
    }

    /// Returns the bytes of all checks.
    pub fn total(&self) -> u64 {
        self.checks
            .values()
            .fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes))
    }

    fn change(&mut self, share: EvidenceShare, change: impl FnOnce(&mut NetworkTotal)) {
        let network_floor = self.budget / NETWORK_FLOOR;
        let context_floor = self.budget / CONTEXT_FLOOR;
        let total = self.contexts.entry(share.context).or_default();
        if let Some(place) = total.place(share.context, context_floor) {
            self.order.remove(&place);
        }
        total.change(share.network, network_floor, change);
        match total.place(share.context, context_floor) {
            Some(place) => drop(self.order.insert(place)),
            None => drop(self.contexts.remove(&share.context)),
        }
    }
}

impl ContextTotal {
    /// Returns the position of the context in the order of eviction; `None` without evidence.
    fn place(&self, context: [u8; 8], floor: u64) -> Option<(u128, Reverse<CheckId>, [u8; 8])> {
        let (bytes, oldest, _) = self.order.last()?;
        Some((
            u128::from(*bytes) * u128::from(self.bytes.max(floor)),
            *oldest,
            context,
        ))
    }

    fn change(&mut self, network: [u8; 8], floor: u64, change: impl FnOnce(&mut NetworkTotal)) {
        let total = self.networks.entry(network).or_default();
        if let Some(place) = total.place(network, floor) {
            self.order.remove(&place);
        }
        self.bytes = self.bytes.saturating_sub(total.bytes);
        change(total);
        self.bytes = self.bytes.saturating_add(total.bytes);
        match total.place(network, floor) {
            Some(place) => drop(self.order.insert(place)),
            None => drop(self.networks.remove(&network)),
        }
    }
}

impl NetworkTotal {
    fn place(&self, network: [u8; 8], floor: u64) -> Option<(u64, Reverse<CheckId>, [u8; 8])> {
        let oldest = self.checks.first()?;
        Some((self.bytes.max(floor), Reverse(*oldest), network))
    }
}

#[cfg(test)]
mod tests;
