//! Erases an address.

use crate::MemoryStore;
use crate::state::State;
use crate::stored_evidence::StoredEvidence;
use async_trait::async_trait;
use std::collections::BTreeMap;
use voight_domain::check::Concluded;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::{
    EraseMode, Erasure, ErasureCounts, ErasureScope, ErasureStore, StoreError,
};
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::Tombstone;
use voight_domain::vocabulary::{ContextId, EoaAddress, Timestamp};

#[async_trait]
impl ErasureStore for MemoryStore {
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError> {
        let mut state = self.state()?;
        let counts = state.count_erasable(erasure, self.clock.now());
        if erasure.mode == EraseMode::Execute {
            state.erase(erasure);
        }
        Ok(counts)
    }

    async fn tombstone(
        &self,
        context: &ContextId,
        digest: AddressDigest,
    ) -> Result<Option<Tombstone>, StoreError> {
        Ok(self
            .state()?
            .tombstones
            .get(&(context.clone(), digest))
            .copied())
    }
}

impl State {
    /// Counts the stored data of the address.
    fn count_erasable(&self, erasure: &Erasure, now: Timestamp) -> ErasureCounts {
        let address = erasure.address;
        let subjects = || {
            erasure
                .scopes
                .iter()
                .map(|scope| (scope.context.clone(), address))
        };
        let entries = self.ledgers.values().flat_map(|rows| rows.values());
        let is_of_address = |record: &&IdempotencyRecord| {
            erasure
                .scopes
                .iter()
                .any(|scope| scope.request_fingerprint == record.parameters)
        };
        let erasable_scopes = erasure
            .scopes
            .iter()
            .filter(|scope| self.tombstone_after_erase(scope, address).is_some());
        ErasureCounts {
            verdicts: count(subjects().filter(|subject| self.verdicts.contains_key(subject))),
            events: subjects()
                .filter_map(|subject| self.events.get(&subject))
                .map(|events| events.len() as u64)
                .sum(),
            ledger_addresses: count(entries.filter(|entry| {
                entry
                    .opening
                    .is_some_and(|opening| opening.address == address)
            })),
            idempotency_records: count(
                self.idempotency_records
                    .values()
                    .filter(is_of_address)
                    .filter(|record| now < record.expires_at),
            ),
            receipts: count(
                self.concluded
                    .values()
                    .filter(|conclusion| is_about(conclusion, address)),
            ),
            labels: count(subjects().filter(|subject| self.labels.contains_key(subject))),
            batches: self
                .evidence
                .values()
                .filter(|evidence| evidence.is_about(address))
                .map(StoredEvidence::count)
                .sum(),
            links: self.links_to(erasure),
            snapshot_rows: count(
                self.snapshot_slices
                    .values()
                    .filter(|slice| slice.contains(&address)),
            ),
            client_events: count(
                self.client_events
                    .values()
                    .flat_map(BTreeMap::values)
                    .filter(|event| event.event.is_about(address)),
            ),
            deliveries: count(
                self.deliveries
                    .values()
                    .flat_map(BTreeMap::values)
                    .filter(|record| record.is_about(address)),
            ),
            tombstones: erasable_scopes.map(|scope| scope.context.clone()).collect(),
        }
    }

    fn erase(&mut self, erasure: &Erasure) {
        let address = erasure.address;
        for scope in &erasure.scopes {
            let subject = (scope.context.clone(), address);
            if let Some(tombstone) = self.tombstone_after_erase(scope, address) {
                self.tombstones
                    .insert((scope.context.clone(), scope.digest), tombstone);
            }
            self.verdicts.remove(&subject);
            self.events.remove(&subject);
            self.labels.remove(&subject);
            self.idempotency_records
                .retain(|_, record| record.parameters != scope.request_fingerprint);
            self.unlink(scope);
        }
        for entry in self.ledgers.values_mut().flat_map(|rows| rows.values_mut()) {
            entry.opening = entry.opening.filter(|opening| opening.address != address);
        }
        for conclusion in self
            .concluded
            .values_mut()
            .filter(|conclusion| is_about(conclusion, address))
        {
            conclusion.receipt = None;
        }
        self.evidence
            .retain(|_, evidence| !evidence.is_about(address));
        self.snapshot_slices
            .values_mut()
            .for_each(|slice| slice.erase(&address));
        for event in self
            .client_events
            .values_mut()
            .flat_map(BTreeMap::values_mut)
        {
            if event.event.is_about(address) {
                event.event = event.event.clone().without_address();
            }
        }
        for record in self.deliveries.values_mut().flat_map(BTreeMap::values_mut) {
            if record.is_about(address) {
                *record = record.clone().without_response();
            }
        }
    }

    /// Returns the tombstone that an erasure writes or has written in a context.
    fn tombstone_after_erase(
        &self,
        scope: &ErasureScope,
        address: EoaAddress,
    ) -> Option<Tombstone> {
        let verdict = self.verdicts.get(&(scope.context.clone(), address));
        let previous_tombstone = self.tombstones.get(&(scope.context.clone(), scope.digest));
        Tombstone::for_erased(
            self.contexts.get(&scope.context)?,
            verdict,
            previous_tombstone,
        )
    }
}

fn is_about(concluded: &Concluded, address: EoaAddress) -> bool {
    concluded
        .receipt
        .as_ref()
        .is_some_and(|receipt| receipt.address == address)
}

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    items.count() as u64
}
