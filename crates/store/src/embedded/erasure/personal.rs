//! Records that may be about an address and have no key that says so.

use crate::embedded::evidence;
use crate::record::{LinkRecord, Record};
use crate::step::Step;
use crate::table::At;
use std::collections::HashSet;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::links::TracePage;
use voight_domain::metering::{Opening, StoredClaim};
use voight_domain::ports::{Erasure, StoreError};
use voight_domain::secrets::{AddressDigest, ClaimDigest};
use voight_domain::vocabulary::{EoaAddress, Timestamp};

/// What is looked for.
pub(super) struct Wanted {
    pub(super) address: EoaAddress,
    pub(super) dry_run: bool,
    now: Timestamp,
    claims: HashSet<ClaimDigest>,
    digests: HashSet<AddressDigest>,
}

impl Wanted {
    pub(super) fn of(erasure: &Erasure, now: Timestamp) -> Self {
        let claims = erasure.places.iter().map(|place| place.claim).collect();
        let digests = erasure.places.iter().map(|place| place.digest).collect();
        Self { address: erasure.address, dry_run: erasure.dry_run, now, claims, digests }
    }
}

/// A record that may be about an address.
pub(super) trait Personal: Record {
    /// Whether it is about the address that is looked for.
    fn is_personal(&self, wanted: &Wanted) -> bool;

    /// How much of it is counted: what has ended goes without being counted, since it may be gone already.
    fn counted(&self, _: &Wanted) -> u64 {
        1
    }

    /// Removes from the store what of it is about the address.
    fn erase(self, step: &mut Step<'_>, at: At<Self>, wanted: &Wanted) -> Result<(), StoreError>;
}

impl Personal for Opening {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.address == wanted.address
    }

    fn erase(self, step: &mut Step<'_>, at: At<Self>, _: &Wanted) -> Result<(), StoreError> {
        step.remove(at);
        Ok(())
    }
}

impl Personal for StoredClaim {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        wanted.claims.contains(&self.parameters)
    }

    fn counted(&self, wanted: &Wanted) -> u64 {
        u64::from(wanted.now < self.until)
    }

    fn erase(self, step: &mut Step<'_>, at: At<Self>, _: &Wanted) -> Result<(), StoreError> {
        step.remove(at);
        Ok(())
    }
}

/// The receipt goes; that the challenge is burnt stays.
impl Personal for Concluded {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.receipt.as_ref().is_some_and(|receipt| receipt.address == wanted.address)
    }

    fn erase(self, step: &mut Step<'_>, at: At<Self>, _: &Wanted) -> Result<(), StoreError> {
        step.put(at, &Self { receipt: None });
        Ok(())
    }
}

/// All batches of a check are about one address; the first that is met takes the others with it.
impl Personal for EvidenceBatch {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.challenge.address == wanted.address
    }

    fn erase(self, step: &mut Step<'_>, _: At<Self>, _: &Wanted) -> Result<(), StoreError> {
        evidence::erase(step, self.challenge.check)
    }
}

/// The checks of the address go; a page on which no other is left goes with them.
impl Personal for TracePage {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.counted(wanted) > 0
    }

    fn counted(&self, wanted: &Wanted) -> u64 {
        self.0.iter().filter(|check| wanted.digests.contains(&check.owner)).count() as u64
    }

    fn erase(mut self, step: &mut Step<'_>, at: At<Self>, wanted: &Wanted) -> Result<(), StoreError> {
        self.0.retain(|check| !wanted.digests.contains(&check.owner));
        put_or_remove(step, at, &self, self.0.is_empty());
        Ok(())
    }
}

/// A cluster loses the address; the others in it keep the times at which they were seen.
impl Personal for LinkRecord {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        match self {
            Self::Members(cluster) => cluster.members.keys().any(|member| wanted.digests.contains(member)),
            Self::Assigned { member, .. } => wanted.digests.contains(member),
        }
    }

    fn erase(mut self, step: &mut Step<'_>, at: At<Self>, wanted: &Wanted) -> Result<(), StoreError> {
        let gone = match &mut self {
            Self::Members(cluster) => {
                cluster.members.retain(|member, _| !wanted.digests.contains(member));
                cluster.members.is_empty()
            }
            Self::Assigned { .. } => true,
        };
        put_or_remove(step, at, &self, gone);
        Ok(())
    }
}

fn put_or_remove<R: Record>(step: &mut Step<'_>, at: At<R>, record: &R, gone: bool) {
    if gone { step.remove(at) } else { step.put(at, record) }
}
