//! Shares of networks and contexts in the evidence, as one node counts them.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use voight_domain::check::{EvidenceShare, EvidenceShares};
use voight_domain::vocabulary::CheckId;

/// Age at which totals are read again: other nodes have added evidence since, and removed some.
const LIFE: Duration = Duration::from_secs(10);

/// The totals that this node has counted, if it has. They decide what is evicted, never whether: the budget itself is exact over all
/// nodes. Evidence that another node has taken is counted here within [`LIFE`].
#[derive(Debug, Default)]
pub(crate) struct CountedShares(Mutex<Option<Counted>>);

#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) shares: EvidenceShares,
    read_at: Instant,
}

impl Counted {
    #[expect(clippy::disallowed_methods, reason = "the age of a cache decides nothing of the domain")]
    pub(crate) fn new(shares: EvidenceShares) -> Self {
        Self { shares, read_at: Instant::now() }
    }
}

impl CountedShares {
    /// Takes the totals out, unless they are too old.
    pub(crate) fn take(&self) -> Option<Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().filter(|counted| counted.read_at.elapsed() < LIFE)
    }

    /// Puts totals back.
    pub(crate) fn put(&self, counted: Counted) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(counted);
    }

    /// Adds bytes of a check, where totals are counted.
    pub(crate) fn add(&self, check: CheckId, share: EvidenceShare, bytes: u64) {
        if let Some(counted) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            counted.shares.add(check, share, bytes);
        }
    }
}
