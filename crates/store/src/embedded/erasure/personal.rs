//! Records that may be about an address and have no key that says so.

use crate::embedded::evidence;
use crate::record::{LinkRecord, Record};
use crate::step::WriteTransaction;
use crate::table::RecordKey;
use std::collections::HashSet;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::links::FingerprintPage;
use voight_domain::metering::{IdempotencyRecord, Opening};
use voight_domain::ports::{Erasure, StoreError};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest};
use voight_domain::vocabulary::{EoaAddress, Timestamp};

/// What is looked for.
pub(super) struct ErasureTarget {
    pub(super) address: EoaAddress,
    pub(super) dry_run: bool,
    now: Timestamp,
    claims: HashSet<IdempotencyDigest>,
    digests: HashSet<AddressDigest>,
}

impl ErasureTarget {
    pub(super) fn new(erasure: &Erasure, now: Timestamp) -> Self {
        let claims = erasure.scopes.iter().map(|place| place.claim).collect();
        let digests = erasure.scopes.iter().map(|place| place.digest).collect();
        Self { address: erasure.address, dry_run: erasure.dry_run, now, claims, digests }
    }
}

/// A record that may be about an address.
pub(super) trait Erasable: Record {
    /// Whether it is about the address that is looked for.
    fn matches(&self, wanted: &ErasureTarget) -> bool;

    /// How much of it is counted: what has ended goes without being counted, since it may be gone already.
    fn counted(&self, _: &ErasureTarget) -> u64 {
        1
    }

    /// Removes from the store what of it is about the address.
    fn erase(
        self,
        step: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        wanted: &ErasureTarget,
    ) -> Result<(), StoreError>;
}

impl Erasable for Opening {
    fn matches(&self, wanted: &ErasureTarget) -> bool {
        self.address == wanted.address
    }

    fn erase(self, step: &mut WriteTransaction<'_>, at: RecordKey<Self>, _: &ErasureTarget) -> Result<(), StoreError> {
        step.remove(at);
        Ok(())
    }
}

impl Erasable for IdempotencyRecord {
    fn matches(&self, wanted: &ErasureTarget) -> bool {
        wanted.claims.contains(&self.parameters)
    }

    fn counted(&self, wanted: &ErasureTarget) -> u64 {
        u64::from(wanted.now < self.expires_at)
    }

    fn erase(self, step: &mut WriteTransaction<'_>, at: RecordKey<Self>, _: &ErasureTarget) -> Result<(), StoreError> {
        step.remove(at);
        Ok(())
    }
}

/// The receipt goes; that the challenge is burnt stays.
impl Erasable for Concluded {
    fn matches(&self, wanted: &ErasureTarget) -> bool {
        self.receipt.as_ref().is_some_and(|receipt| receipt.address == wanted.address)
    }

    fn erase(self, step: &mut WriteTransaction<'_>, at: RecordKey<Self>, _: &ErasureTarget) -> Result<(), StoreError> {
        step.put(at, &Self { receipt: None });
        Ok(())
    }
}

/// All batches of a check are about one address; the first that is met takes the others with it.
impl Erasable for EvidenceBatch {
    fn matches(&self, wanted: &ErasureTarget) -> bool {
        self.challenge.address == wanted.address
    }

    fn erase(self, step: &mut WriteTransaction<'_>, _: RecordKey<Self>, _: &ErasureTarget) -> Result<(), StoreError> {
        evidence::erase(step, self.challenge.check)
    }
}

/// The checks of the address go; a page on which no other is left goes with them.
impl Erasable for FingerprintPage {
    fn matches(&self, wanted: &ErasureTarget) -> bool {
        self.counted(wanted) > 0
    }

    fn counted(&self, wanted: &ErasureTarget) -> u64 {
        self.0.iter().filter(|check| wanted.digests.contains(&check.owner)).count() as u64
    }

    fn erase(
        mut self,
        step: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        wanted: &ErasureTarget,
    ) -> Result<(), StoreError> {
        self.0.retain(|check| !wanted.digests.contains(&check.owner));
        put_unless_empty(step, at, &self, self.0.is_empty());
        Ok(())
    }
}

/// A cluster loses the address; the others in it keep the times at which they were seen.
impl Erasable for LinkRecord {
    fn matches(&self, wanted: &ErasureTarget) -> bool {
        match self {
            Self::Members(cluster) => cluster.members.keys().any(|member| wanted.digests.contains(member)),
            Self::Assigned { member, .. } => wanted.digests.contains(member),
        }
    }

    fn erase(
        mut self,
        step: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        wanted: &ErasureTarget,
    ) -> Result<(), StoreError> {
        let gone = match &mut self {
            Self::Members(cluster) => {
                cluster.members.retain(|member, _| !wanted.digests.contains(member));
                cluster.members.is_empty()
            }
            Self::Assigned { .. } => true,
        };
        put_unless_empty(step, at, &self, gone);
        Ok(())
    }
}

fn put_unless_empty<R: Record>(step: &mut WriteTransaction<'_>, at: RecordKey<R>, record: &R, gone: bool) {
    if gone { step.remove(at) } else { step.put(at, record) }
}
