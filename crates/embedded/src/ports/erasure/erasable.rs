//! Record types that may contain data of an address without an index by it.

use crate::ports::evidence;
use crate::record::{LinkRecord, Record};
use crate::table::RecordKey;
use crate::write_transaction::WriteTransaction;
use std::collections::HashSet;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::events::ClientEvent;
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{IdempotencyRecord, Opening};
use voight_domain::ports::{EraseMode, Erasure, StoreError};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest};
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::vocabulary::{EoaAddress, Timestamp};
use voight_domain::webhooks::DeliveryRecord;

/// Address to erase, with its digests.
pub(super) struct ErasureTarget {
    pub(super) address: EoaAddress,
    pub(super) mode: EraseMode,
    now: Timestamp,
    request_digests: HashSet<IdempotencyDigest>,
    digests: HashSet<AddressDigest>,
}

impl ErasureTarget {
    pub(super) fn new(erasure: &Erasure, now: Timestamp) -> Self {
        let request_digests = erasure
            .scopes
            .iter()
            .map(|scope| scope.request_fingerprint)
            .collect();
        let digests = erasure.scopes.iter().map(|scope| scope.digest).collect();
        Self {
            address: erasure.address,
            mode: erasure.mode,
            now,
            request_digests,
            digests,
        }
    }
}

/// Record type that may contain data of an address.
pub(super) trait Erasable: Record {
    /// Returns `true` if the record contains data of the address.
    fn matches(&self, target: &ErasureTarget) -> bool;

    /// Returns the number to report for the record. Expired data is not counted, since it may already be removed.
    fn counted(&self, _: &ErasureTarget) -> u64 {
        1
    }

    /// Removes the data of the address from the record: by default, the complete record.
    fn erase(
        self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        _: &ErasureTarget,
    ) -> Result<(), StoreError> {
        transaction.remove(at);
        Ok(())
    }
}

impl Erasable for Opening {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.address == target.address
    }
}

impl Erasable for IdempotencyRecord {
    fn matches(&self, target: &ErasureTarget) -> bool {
        target.request_digests.contains(&self.parameters)
    }

    fn counted(&self, target: &ErasureTarget) -> u64 {
        u64::from(target.now < self.expires_at)
    }
}

/// Erases the receipt of a conclusion. The challenge remains used.
impl Erasable for Concluded {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.receipt
            .as_ref()
            .is_some_and(|receipt| receipt.address == target.address)
    }

    fn erase(
        self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        _: &ErasureTarget,
    ) -> Result<(), StoreError> {
        transaction.put(at, &Self { receipt: None });
        Ok(())
    }
}

/// Erases all evidence batches of a check, which are all about one address.
impl Erasable for EvidenceBatch {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.challenge.address == target.address
    }

    fn erase(
        self,
        transaction: &mut WriteTransaction<'_>,
        _: RecordKey<Self>,
        _: &ErasureTarget,
    ) -> Result<(), StoreError> {
        evidence::erase(transaction, self.challenge.check)
    }
}

/// Erases the fingerprints of the address, and removes a page that becomes empty.
impl Erasable for FingerprintPage {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.counted(target) > 0
    }

    fn counted(&self, target: &ErasureTarget) -> u64 {
        self.0
            .iter()
            .filter(|check| target.digests.contains(&check.owner))
            .count() as u64
    }

    fn erase(
        mut self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        target: &ErasureTarget,
    ) -> Result<(), StoreError> {
        self.0
            .retain(|check| !target.digests.contains(&check.owner));
        replace(transaction, at, (!self.0.is_empty()).then_some(&self));
        Ok(())
    }
}

/// Removes the row of the address from a snapshot.
impl Erasable for SnapshotSlice {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.contains(&target.address)
    }

    fn erase(
        mut self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        target: &ErasureTarget,
    ) -> Result<(), StoreError> {
        SnapshotSlice::erase(&mut self, &target.address);
        transaction.put(at, &self);
        Ok(())
    }
}

/// Removes the address and the answer from an event, which keeps its number.
impl Erasable for ClientEvent {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.event.is_about(target.address)
    }

    fn erase(
        self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        _: &ErasureTarget,
    ) -> Result<(), StoreError> {
        let erased_event = Self {
            event: self.event.without_address(),
            ..self
        };
        transaction.put(at, &erased_event);
        Ok(())
    }
}

/// Removes the response from a record of a delivery log, which keeps its number.
impl Erasable for DeliveryRecord {
    fn matches(&self, target: &ErasureTarget) -> bool {
        self.is_about(target.address)
    }

    fn erase(
        self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        _: &ErasureTarget,
    ) -> Result<(), StoreError> {
        transaction.put(at, &self.without_response());
        Ok(())
    }
}

/// Removes the address from a cluster. The other members keep their times.
impl Erasable for LinkRecord {
    fn matches(&self, target: &ErasureTarget) -> bool {
        match self {
            Self::Members(cluster) => cluster
                .members
                .keys()
                .any(|member| target.digests.contains(member)),
            Self::Assigned { member, .. } => target.digests.contains(member),
        }
    }

    fn erase(
        mut self,
        transaction: &mut WriteTransaction<'_>,
        at: RecordKey<Self>,
        target: &ErasureTarget,
    ) -> Result<(), StoreError> {
        let is_empty = match &mut self {
            Self::Members(cluster) => {
                cluster
                    .members
                    .retain(|member, _| !target.digests.contains(member));
                cluster.members.is_empty()
            }
            Self::Assigned { .. } => true,
        };
        replace(transaction, at, (!is_empty).then_some(&self));
        Ok(())
    }
}

/// Replaces the record at `at`, or removes it.
fn replace<R: Record>(
    transaction: &mut WriteTransaction<'_>,
    at: RecordKey<R>,
    record: Option<&R>,
) {
    match record {
        Some(record) => transaction.put(at, record),
        None => transaction.remove(at),
    }
}
