//! Shares of networks and contexts in the stored evidence, as one node counts them.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use voight_domain::check::{EvidenceShare, EvidenceShares};
use voight_domain::vocabulary::CheckId;

/// Maximum age of the totals. They are read again after it, because other nodes add and remove evidence.
const LIFE: Duration = Duration::from_secs(10);

/// Cached totals of this node. They select the evidence to evict and never decide that eviction is due: the budget
/// itself is exact over all nodes.
///
/// Evidence that another node has stored is counted here within [`LIFE`].
#[derive(Debug, Default)]
pub(crate) struct CountedShares(Mutex<Option<Counted>>);

#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) shares: EvidenceShares,
    read_at: Instant,
}

impl Counted {
    #[expect(
        clippy::disallowed_methods,
        reason = "the age of a cache decides nothing of the domain"
    )]
    pub(crate) fn new(shares: EvidenceShares) -> Self {
        Self {
            shares,
            read_at: Instant::now(),
        }
    }
}

impl CountedShares {
    /// Takes the totals out of the cache unless they are older than [`LIFE`].
    pub(crate) fn take(&self) -> Option<Counted> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            .filter(|shares| shares.read_at.elapsed() < LIFE)
    }

    /// Puts the totals back into the cache.
    pub(crate) fn put(&self, shares: Counted) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(shares);
    }

    /// Adds `bytes` of a check to the totals if they are cached.
    pub(crate) fn add(&self, check: CheckId, share: EvidenceShare, bytes: u64) {
        if let Some(shares) = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
        {
            shares.shares.add(check, share, bytes);
        }
    }
}
