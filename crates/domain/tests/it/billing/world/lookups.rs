//! Lookups: with every key, in every context, with repeated idempotency keys, through a service that fails
//! occasionally.

use super::{Attempt, BillingSimulation, secret};
use std::time::Duration;
use voight_domain::metering::{
    AddressFacts, CallerFacts, IdempotencyInput, LookupOutcome, LookupRequest, LookupWrite,
    Opening, answer_lookup,
};
use voight_domain::registry::{Key, KeyChange, KeyWithClient};
use voight_domain::secrets::{DigestKey, IdempotencyDigest, KeyDigest};
use voight_domain::vocabulary::EoaAddress;

/// Moment at which the service fails in a lookup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LookupFault {
    BeforeTheRow,
    AfterTheRow,
}

impl BillingSimulation {
    pub(super) fn look_up(&mut self) {
        let key = self.random.choice(&self.keys).unwrap().clone();
        let context = self.random.usize(..self.contexts.len());
        let mine: Vec<_> = (0..self.contexts.len())
            .filter(|place| self.contexts[*place].key == key.id)
            .collect();
        let context = if self.random.u8(..10) == 0 {
            context
        } else {
            *self.random.choice(&mine).unwrap()
        };
        let context = self.contexts[context].clone();
        let request = LookupRequest {
            key: self.some_secret(&key),
            context: context.id.clone(),
            address: EoaAddress::from_bytes([self.random.u8(..3); 20]),
            address_key: DigestKey::from_bytes([1; 32]),
            nonce: self.random.u128(..).to_be_bytes(),
            idempotency: self.random_idempotency(),
            rules: self.rules.clone(),
            is_detailed: false,
        };
        let holder = KeyWithClient {
            key,
            client: self.client.clone(),
        };
        let facts = CallerFacts {
            key: Some(&holder).filter(|holder| {
                holder
                    .key
                    .secrets
                    .iter()
                    .any(|secret| secret.digest == request.key)
            }),
            context: Some(&context),
            meter: self.meter.as_ref(),
            idempotency_record: request
                .idempotency
                .and_then(|input| self.idempotency_records.get(&input.key_digest)),
        };
        let step = answer_lookup(&request, facts, AddressFacts::default(), self.now);
        let failure = match self.random.u8(..10) {
            0 => Some(LookupFault::BeforeTheRow),
            1 => Some(LookupFault::AfterTheRow),
            _ => None,
        };
        self.note(&request, step.outcome, failure);
        if let Some(write) = step
            .write
            .filter(|_| failure != Some(LookupFault::BeforeTheRow))
        {
            self.apply_write(write);
        }
    }

    fn note(
        &mut self,
        request: &LookupRequest,
        outcome: LookupOutcome,
        failure: Option<LookupFault>,
    ) {
        self.attempts.push(Attempt {
            now: self.now,
            idempotency: request.idempotency,
            commitment: Opening {
                nonce: request.nonce,
                address: request.address,
            }
            .commit(&request.context),
            told: failure.is_none().then_some(outcome),
            rows_before: self.rows.len(),
            rules: request.rules.clone(),
            limits: self.limits,
        });
    }

    fn apply_write(&mut self, write: LookupWrite) {
        self.rows.extend(write.rows);
        self.ended
            .extend(write.ended.map(|period| (period.last_seq, period)));
        if let Some(book) = write.book {
            self.keep_book(book.digest(), &book);
        }
        self.alerts.extend(write.alerts);
        self.meter = Some(write.meter);
        self.idempotency_records.extend(write.idempotency_record);
    }

    /// Returns the current secret, or occasionally an earlier or unknown one.
    fn some_secret(&mut self, key: &Key) -> KeyDigest {
        if self.random.u8(..20) == 0 {
            return KeyDigest([0; 32]);
        }
        self.random.choice(&key.secrets).unwrap().digest
    }

    /// Returns no idempotency key, a new one, a used one, or a used one with other parameters.
    fn random_idempotency(&mut self) -> Option<IdempotencyInput> {
        let used_inputs: Vec<_> = self
            .attempts
            .iter()
            .filter_map(|attempt| attempt.idempotency)
            .collect();
        let used_input = self.random.choice(used_inputs);
        let fresh = IdempotencyDigest(self.random.u128(..).to_be_bytes());
        match self.random.u8(..20) {
            0..8 => None,
            8..16 => used_input.or(Some(IdempotencyInput {
                key_digest: fresh,
                fingerprint: fresh,
            })),
            16 => used_input.map(|input| IdempotencyInput {
                fingerprint: fresh,
                ..input
            }),
            _ => Some(IdempotencyInput {
                key_digest: fresh,
                fingerprint: fresh,
            }),
        }
    }

    pub(super) fn rotate(&mut self) {
        let place = self.random.usize(..self.keys.len());
        let secret = secret([self.random.u8(3..); 32]);
        let overlap_until = self
            .now
            .saturating_add(Duration::from_hours(self.random.u64(..48)));
        let change = KeyChange::Rotate {
            secret,
            overlap_until: Some(overlap_until),
        };
        self.keys[place] = self.keys[place].clone().with_change(change, self.now);
    }
}
