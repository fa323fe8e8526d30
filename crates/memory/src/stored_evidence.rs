//! Evidence of one check, as the store keeps it.

use std::collections::BTreeMap;
use voight_domain::check::{EvidenceBatch, EvidenceShare};
use voight_domain::vocabulary::{EoaAddress, Timestamp};

/// Evidence of one check.
pub(crate) struct StoredEvidence {
    pub(crate) opened_at: Timestamp,
    pub(crate) keep_until: Timestamp,
    pub(crate) settled: bool,
    pub(crate) share: EvidenceShare,
    pub(crate) batches: BTreeMap<u8, EvidenceBatch>,
}

impl StoredEvidence {
    /// Returns `true` if the check is about this address.
    pub(crate) fn is_about(&self, address: EoaAddress) -> bool {
        self.batches
            .values()
            .any(|batch| batch.challenge.address == address)
    }

    /// Returns the number of batches.
    pub(crate) fn count(&self) -> u64 {
        self.batches.len() as u64
    }
}
