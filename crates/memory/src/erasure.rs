//! Erasing an address.

use crate::MemoryStore;
use crate::evidence::StoredEvidence;
use crate::state::State;
use async_trait::async_trait;
use voight_domain::check::Concluded;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::{Erasure, ErasureCounts, ErasureScope, ErasureStore, StoreError};
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::Tombstone;
use voight_domain::vocabulary::{ContextId, EoaAddress, Timestamp};

#[async_trait]
impl ErasureStore for MemoryStore {
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError> {
        let mut state = self.state()?;
        let erased = state.count_erasable(erasure, self.clock.now());
        if !erasure.dry_run {
            state.erase(erasure);
        }
        Ok(erased)
    }

    async fn tombstone(&self, context: &ContextId, digest: AddressDigest) -> Result<Option<Tombstone>, StoreError> {
        Ok(self.state()?.tombstones.get(&(context.clone(), digest)).copied())
    }
}

impl State {
    /// What there is of the address.
    fn count_erasable(&self, erasure: &Erasure, now: Timestamp) -> ErasureCounts {
        let address = erasure.address;
        let subjects = || erasure.scopes.iter().map(|place| (place.context.clone(), address));
        let entries = self.ledgers.values().flat_map(|rows| rows.values());
        let is_claim = |claim: &&IdempotencyRecord| erasure.scopes.iter().any(|place| place.claim == claim.parameters);
        let left = erasure.scopes.iter().filter(|place| self.tombstone_after_erase(place, address).is_some());
        ErasureCounts {
            verdicts: count(subjects().filter(|subject| self.verdicts.contains_key(subject))),
            events: subjects().filter_map(|subject| self.events.get(&subject)).map(|events| events.len() as u64).sum(),
            ledger_addresses: count(
                entries.filter(|entry| entry.opening.is_some_and(|opening| opening.address == address)),
            ),
            idempotency_records: count(self.claims.values().filter(is_claim).filter(|claim| now < claim.expires_at)),
            receipts: count(self.concluded.values().filter(|concluded| is_about(concluded, address))),
            labels: count(subjects().filter(|subject| self.labels.contains_key(subject))),
            batches: self.evidence.values().filter(|kept| kept.is_about(address)).map(StoredEvidence::count).sum(),
            links: self.links_to(erasure),
            tombstones: left.map(|place| place.context.clone()).collect(),
        }
    }

    fn erase(&mut self, erasure: &Erasure) {
        let address = erasure.address;
        for place in &erasure.scopes {
            let subject = (place.context.clone(), address);
            if let Some(tombstone) = self.tombstone_after_erase(place, address) {
                self.tombstones.insert((place.context.clone(), place.digest), tombstone);
            }
            self.verdicts.remove(&subject);
            self.events.remove(&subject);
            self.labels.remove(&subject);
            self.claims.retain(|_, claim| claim.parameters != place.claim);
            self.unlink(place);
        }
        for entry in self.ledgers.values_mut().flat_map(|rows| rows.values_mut()) {
            entry.opening = entry.opening.filter(|opening| opening.address != address);
        }
        for concluded in self.concluded.values_mut().filter(|concluded| is_about(concluded, address)) {
            concluded.receipt = None;
        }
        self.evidence.retain(|_, kept| !kept.is_about(address));
    }

    /// What an erase leaves in a context, or has left there before.
    fn tombstone_after_erase(&self, place: &ErasureScope, address: EoaAddress) -> Option<Tombstone> {
        let verdict = self.verdicts.get(&(place.context.clone(), address));
        let before = self.tombstones.get(&(place.context.clone(), place.digest));
        Tombstone::for_erased(self.contexts.get(&place.context)?, verdict, before)
    }
}

fn is_about(concluded: &Concluded, address: EoaAddress) -> bool {
    concluded.receipt.as_ref().is_some_and(|receipt| receipt.address == address)
}

fn count<T>(found: impl Iterator<Item = T>) -> u64 {
    found.count() as u64
}
