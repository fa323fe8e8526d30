//! Records that may be about an address and have no key that says so.

use crate::embedded::evidence;
use crate::record::Record;
use crate::step::Step;
use crate::table::At;
use std::collections::HashSet;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::metering::{Opening, StoredClaim};
use voight_domain::ports::{Erasure, StoreError};
use voight_domain::secrets::ClaimDigest;
use voight_domain::vocabulary::{EoaAddress, Timestamp};

/// What is looked for.
pub(super) struct Wanted {
    pub(super) address: EoaAddress,
    pub(super) dry_run: bool,
    now: Timestamp,
    claims: HashSet<ClaimDigest>,
}

impl Wanted {
    pub(super) fn of(erasure: &Erasure, now: Timestamp) -> Self {
        let claims = erasure.places.iter().map(|place| place.claim).collect();
        Self { address: erasure.address, dry_run: erasure.dry_run, now, claims }
    }
}

/// A record that may be about an address.
pub(super) trait Personal: Record {
    /// Whether it is about the address that is looked for.
    fn is_personal(&self, wanted: &Wanted) -> bool;

    /// Whether it still serves anybody: what has ended goes without being counted, since it may be gone already.
    fn is_in_use(&self, _: &Wanted) -> bool {
        true
    }

    /// Removes from the store what of it is about the address.
    fn erase(self, step: &mut Step<'_>, at: At<Self>) -> Result<(), StoreError>;
}

impl Personal for Opening {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.address == wanted.address
    }

    fn erase(self, step: &mut Step<'_>, at: At<Self>) -> Result<(), StoreError> {
        step.remove(at);
        Ok(())
    }
}

/// Its end is left to be swept in its time; that says nothing of the address.
impl Personal for StoredClaim {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        wanted.claims.contains(&self.parameters)
    }

    fn is_in_use(&self, wanted: &Wanted) -> bool {
        wanted.now < self.until
    }

    fn erase(self, step: &mut Step<'_>, at: At<Self>) -> Result<(), StoreError> {
        step.remove(at);
        Ok(())
    }
}

/// The receipt goes; that the challenge is burnt stays.
impl Personal for Concluded {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.receipt.as_ref().is_some_and(|receipt| receipt.address == wanted.address)
    }

    fn erase(self, step: &mut Step<'_>, at: At<Self>) -> Result<(), StoreError> {
        step.put(at, &Self { receipt: None });
        Ok(())
    }
}

/// All batches of a check are about one address; the first that is met takes the others with it.
impl Personal for EvidenceBatch {
    fn is_personal(&self, wanted: &Wanted) -> bool {
        self.challenge.address == wanted.address
    }

    fn erase(self, step: &mut Step<'_>, _: At<Self>) -> Result<(), StoreError> {
        evidence::erase(step, self.challenge.check)
    }
}
