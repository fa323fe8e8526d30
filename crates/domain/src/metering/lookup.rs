//! Lookup as a pure decision: from the facts that a store has read to the changes that it writes.

use super::step::{Metering, authorise};
use super::{
    AddressFacts, CallerFacts, IdempotencyInput, LookupOutcome, LookupWrite, MeterRules, Opening,
    RecordedAnswer, RecordedResponse,
};
use crate::registry::Key;
use crate::secrets::{AddressDigest, DigestKey, KeyDigest};
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};

/// Lookup request to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupRequest {
    /// The digest of the caller's key.
    pub key: KeyDigest,
    /// The context of the lookup.
    pub context: ContextId,
    /// The address to look up.
    pub address: EoaAddress,
    /// The key of the digest under which a tombstone of the address is stored.
    pub address_key: DigestKey,
    /// Random bytes for the commitment.
    pub nonce: [u8; 16],
    /// The digests of the idempotency key and parameters, if the caller sent a key.
    pub idempotency: Option<IdempotencyInput>,
    /// The metering rules in force.
    pub rules: MeterRules,
    /// `true` if the detail is included in the answer. Nothing else of the step depends on it.
    pub is_detailed: bool,
}

impl LookupRequest {
    /// Returns the digest under which a tombstone of the address is stored. Most contexts have no tombstone and need none.
    pub fn address_digest(&self) -> AddressDigest {
        self.address_key
            .address_digest(&self.context, &self.address)
    }
}

/// Changes that a store writes atomically, and the outcome that it returns.
#[derive(Debug, Clone)]
pub struct LookupStep {
    /// The outcome.
    pub outcome: LookupOutcome,
    /// The changes; `None` if the outcome changes nothing.
    pub write: Option<LookupWrite>,
}

/// Decides a lookup from the stored facts at `now`. Pure: adapters read the facts, call this, and write the step.
pub fn answer_lookup(
    request: &LookupRequest,
    caller: CallerFacts<'_>,
    address: AddressFacts<'_>,
    now: Timestamp,
) -> LookupStep {
    let replay = |response: &RecordedResponse| match response {
        // A plain answer is no replay of a detailed one, and vice versa.
        RecordedResponse::Lookup(answered) if answered.detail.is_some() == request.is_detailed => {
            Some(*answered)
        }
        _ => None,
    };
    let accepts = |key: &Key| key.accepts(request.key, now);
    let authorisation = authorise(accepts, request.idempotency.as_ref(), &caller, now, replay);
    let (caller_key, context) = match authorisation {
        Ok(found) => found,
        Err(outcome) => {
            return LookupStep {
                outcome,
                write: None,
            };
        }
    };
    let metering = Metering {
        caller_key,
        context,
        idempotency: request.idempotency,
        rules: &request.rules,
        now,
    };
    let opening = Opening {
        nonce: request.nonce,
        address: request.address,
    };
    let (mut write, answer) =
        match metering.record(&metering.initial(caller.meter), opening, address) {
            Ok(recorded) => recorded,
            Err(resets_at) => {
                return LookupStep {
                    outcome: LookupOutcome::CapReached {
                        remaining: 0,
                        resets_at,
                    },
                    write: None,
                };
            }
        };
    let environment = caller_key.key.environment;
    let detail = request
        .is_detailed
        .then(|| address.detail(environment, context, &request.address));
    let recorded_answer = RecordedAnswer {
        answer,
        seq: write.meter.seq,
        head: write.meter.head,
        detail,
    };
    write.idempotency_record =
        metering.idempotency_record(|| RecordedResponse::Lookup(recorded_answer));
    let outcome = LookupOutcome::Recorded(recorded_answer, write.alert_set());
    LookupStep {
        outcome,
        write: Some(write),
    }
}
