//! Lookup of several addresses of one context, decided and billed as a whole.

use super::step::{Metering, RecordedAll, authorise, nonces};
use super::{
    AddressFacts, AlertSet, CallerFacts, IdempotencyInput, LookupOutcome, LookupWrite, MeterRules,
    Opening, RecordedBatch, RecordedResponse,
};
use crate::registry::Key;
use crate::secrets::{AddressDigest, DigestKey, KeyDigest};
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};

/// Maximum number of addresses in a batch lookup.
pub const MAX_BATCH_ADDRESSES: usize = 1_000;

/// Distinct addresses, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressSet(Vec<EoaAddress>);

impl AddressSet {
    /// Returns the addresses, in ascending order.
    pub fn as_slice(&self) -> &[EoaAddress] {
        &self.0
    }

    /// Returns the position of an address.
    pub fn position(&self, address: &EoaAddress) -> Option<usize> {
        self.0.binary_search(address).ok()
    }
}

impl FromIterator<EoaAddress> for AddressSet {
    fn from_iter<I: IntoIterator<Item = EoaAddress>>(addresses: I) -> Self {
        let mut addresses: Vec<_> = addresses.into_iter().collect();
        addresses.sort_unstable();
        addresses.dedup();
        Self(addresses)
    }
}

/// Batch lookup request to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchLookupRequest {
    /// The digest of the caller's key.
    pub key: KeyDigest,
    /// The context of the lookups.
    pub context: ContextId,
    /// The addresses to look up. The ledger has one row for each, in this order.
    pub addresses: AddressSet,
    /// The key of the digests under which tombstones of the addresses are stored.
    pub address_key: DigestKey,
    /// Random bytes from which the nonces of the commitments are derived. Used for this request only.
    pub nonce_seed: [u8; 32],
    /// The digests of the idempotency key and parameters, if the caller sent a key.
    pub idempotency: Option<IdempotencyInput>,
    /// The metering rules in force.
    pub rules: MeterRules,
}

impl BatchLookupRequest {
    /// Returns the digest under which a tombstone of the address is stored.
    pub fn address_digest(&self, address: &EoaAddress) -> AddressDigest {
        self.address_key.address_digest(&self.context, address)
    }

    /// Returns the openings of the rows, in order.
    pub fn openings(&self) -> impl ExactSizeIterator<Item = Opening> {
        let nonces = nonces(&self.nonce_seed, self.addresses.0.len());
        self.addresses
            .0
            .iter()
            .zip(nonces)
            .map(|(address, nonce)| Opening {
                nonce,
                address: *address,
            })
    }
}

/// Changes of a batch lookup that a store writes atomically, and the outcome that it returns.
#[derive(Debug, Clone)]
pub struct BatchLookupStep {
    /// The outcome.
    pub outcome: LookupOutcome<RecordedBatch>,
    /// The changes, in order, one for each address; empty if the outcome changes nothing. The last one has the idempotency
    /// record of the request.
    pub writes: Vec<LookupWrite>,
}

/// Decides a batch lookup at `now`, as one lookup of each address in order, but all or none. Pure, as
/// [`answer_lookup`](super::answer_lookup).
///
/// `addresses` has the facts about the addresses, in the order of the request. An address without facts has no verdict.
pub fn answer_batch(
    request: &BatchLookupRequest,
    caller: CallerFacts<'_>,
    addresses: &[AddressFacts<'_>],
    now: Timestamp,
) -> BatchLookupStep {
    let rejected_step = |outcome| BatchLookupStep {
        outcome,
        writes: Vec::new(),
    };
    let replay = |response: &RecordedResponse| match response {
        RecordedResponse::Batch(answered) => Some(answered.clone()),
        _ => None,
    };
    let accepts = |key: &Key| key.accepts(request.key, now);
    let (caller_key, context) =
        match authorise(accepts, request.idempotency.as_ref(), &caller, now, replay) {
            Ok(found) => found,
            Err(outcome) => return rejected_step(outcome),
        };
    let metering = Metering {
        caller_key,
        context,
        idempotency: request.idempotency,
        rules: &request.rules,
        now,
    };
    let facts = |index: usize| addresses.get(index).copied().unwrap_or_default();
    let addresses = request
        .addresses
        .0
        .iter()
        .enumerate()
        .map(|(index, address)| (*address, facts(index)));
    let RecordedAll {
        mut writes,
        answers,
        meter,
        resets_at,
    } = metering.record_all(caller.meter, &request.nonce_seed, addresses);
    if let Some(resets_at) = resets_at {
        return rejected_step(LookupOutcome::CapReached {
            remaining: writes.len() as u64,
            resets_at,
        });
    }
    let alerts = writes
        .iter()
        .map(LookupWrite::alert_set)
        .fold(AlertSet::default(), AlertSet::union);
    let batch = RecordedBatch {
        answers,
        seq: meter.seq,
        head: meter.head,
    };
    if let Some(last) = writes.last_mut() {
        last.idempotency_record =
            metering.idempotency_record(|| RecordedResponse::Batch(batch.clone()));
    }
    BatchLookupStep {
        outcome: LookupOutcome::Recorded(batch, alerts),
        writes,
    }
}
