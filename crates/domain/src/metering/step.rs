//! Step that every lookup takes, of one address or of several: its facts, authorisation, metering, outcome and changes.

use super::{
    Alert, AlertSet, EndedPeriod, IdempotencyInput, IdempotencyRecord, IdempotencyState, LedgerRow,
    MeterRules, MeterState, MeteringDecision, MeteringInput, Opening, RecordedAnswer,
    RecordedResponse, decide, idempotency_state,
};
use crate::billing::PriceBook;
use crate::events::NewEvent;
use crate::registry::{Context, Key, KeyWithClient};
use crate::secrets::IdempotencyDigest;
use crate::verdict::{self, Answer, Detail, Tombstone, Verdict};
use crate::vocabulary::{Environment, EoaAddress, Scope, Timestamp};
use std::sync::Arc;

/// Outcome of a lookup of one address, or with [`RecordedBatch`](super::RecordedBatch) of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupOutcome<A = RecordedAnswer> {
    /// All rows are committed, and the lookup has raised these alerts.
    Recorded(A, AlertSet),
    /// A request with the same key and parameters was answered before; nothing is billed.
    Replayed(A),
    /// The idempotency key was used with other parameters.
    IdempotencyKeyReused,
    /// A cap of the client, or the daily limit of its sandbox, does not allow as many rows. None is written.
    CapReached {
        /// Number of rows that the cap still allows.
        remaining: u64,
        /// The beginning of the next period, or of the next day in the sandbox.
        resets_at: Timestamp,
    },
    /// The key is unknown, revoked or expired.
    InvalidKey,
    /// The key has no scope for lookups.
    ScopeMissing,
    /// The client is suspended.
    ClientSuspended,
    /// The context is unknown, or the key may not use it; the caller cannot tell these cases apart.
    UnknownContext,
}

/// Facts about the caller of a lookup, which a store has read inside its write transaction.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallerFacts<'a> {
    /// The key with this digest, with its client.
    pub key: Option<&'a KeyWithClient>,
    /// The context with this id, of any client.
    pub context: Option<&'a Context>,
    /// The meter of the key's client and environment; `None` before its first lookup.
    pub meter: Option<&'a MeterState>,
    /// The idempotency record under the client and the request's key digest.
    pub idempotency_record: Option<&'a IdempotencyRecord>,
}

/// Facts about an address in a context, which a store has read inside its write transaction.
#[derive(Debug, Clone, Copy, Default)]
pub struct AddressFacts<'a> {
    /// The verdict on the address.
    pub verdict: Option<&'a Verdict>,
    /// The tombstone of the address.
    pub tombstone: Option<&'a Tombstone>,
}

impl AddressFacts<'_> {
    /// Returns the answer to a lookup of the address. Sandbox answers depend on the address only.
    pub(crate) fn answer(
        &self,
        environment: Environment,
        context: &Context,
        address: &EoaAddress,
    ) -> Answer {
        match environment {
            Environment::Sandbox => verdict::magic_answer(address),
            Environment::Live => verdict::answer(
                &verdict::effective_verdict(self.verdict, self.tombstone),
                &context.settings,
            ),
        }
    }

    /// Returns the verdict to store if this is the first lookup of the address since it has one.
    fn first_looked_up(&self, environment: Environment) -> Option<Verdict> {
        self.verdict
            .filter(|verdict| !verdict.looked_up && environment == Environment::Live)
            .map(|verdict| Verdict {
                looked_up: true,
                ..*verdict
            })
    }

    /// Returns the detail of the answer.
    pub(crate) fn detail(
        &self,
        environment: Environment,
        context: &Context,
        address: &EoaAddress,
    ) -> Detail {
        match environment {
            Environment::Sandbox => verdict::magic_detail(address),
            Environment::Live => verdict::detail(self.verdict, self.tombstone, &context.settings),
        }
    }
}

/// Changes of a recorded lookup.
#[derive(Debug, Clone)]
pub struct LookupWrite {
    /// The rows to append to the ledger, in order.
    pub rows: Vec<LedgerRow>,
    /// The period that the first of two rows ends.
    pub ended: Option<EndedPeriod>,
    /// The price book of a new period, to be stored.
    pub book: Option<Arc<PriceBook>>,
    /// The alerts to store.
    pub alerts: Vec<Alert>,
    /// The meter after the rows.
    pub meter: MeterState,
    /// The opening of the last row's commitment.
    pub opening: Opening,
    /// The verdict to store: the first lookup of an address with a verdict marks it as looked up.
    pub verdict: Option<Verdict>,
    /// The idempotency record to store, with its key digest.
    pub idempotency_record: Option<(IdempotencyDigest, IdempotencyRecord)>,
}

impl LookupWrite {
    /// Returns the row if it is the only change of the ledger: no period ends or begins with it and no alert is raised.
    /// The meter then follows from the row by [`MeterState::apply`].
    pub fn only_row(&self) -> Option<&LedgerRow> {
        match self.rows.as_slice() {
            [row] if self.ended.is_none() && self.book.is_none() && self.alerts.is_empty() => {
                Some(row)
            }
            _ => None,
        }
    }

    /// Returns the events of the alerts, for a lookup in this environment.
    pub fn events(&self, environment: Environment) -> impl Iterator<Item = NewEvent> {
        self.alerts
            .iter()
            .map(move |alert| alert.event(environment))
    }

    /// Returns the kinds of the alerts.
    pub(super) fn alert_set(&self) -> AlertSet {
        self.alerts.iter().map(|alert| alert.kind).collect()
    }
}

/// Verifies key, client and context, in the order that the product fixes. `accepts` tells whether the key may be used, and
/// `replay` returns the answer that a stored response repeats.
pub(crate) fn authorise<'a, A>(
    accepts: impl FnOnce(&Key) -> bool,
    idempotency: Option<&IdempotencyInput>,
    facts: &CallerFacts<'a>,
    now: Timestamp,
    replay: impl FnOnce(&RecordedResponse) -> Option<A>,
) -> Result<(&'a KeyWithClient, &'a Context), LookupOutcome<A>> {
    let caller_key = facts
        .key
        .filter(|caller_key| accepts(&caller_key.key))
        .ok_or(LookupOutcome::InvalidKey)?;
    if !caller_key.key.scopes.allows(Scope::LookupRead) {
        return Err(LookupOutcome::ScopeMissing);
    }
    if caller_key.is_suspended() {
        return Err(LookupOutcome::ClientSuspended);
    }
    let context = facts
        .context
        .filter(|context| context.is_usable_by(caller_key))
        .ok_or(LookupOutcome::UnknownContext)?;
    match idempotency_state(idempotency, facts.idempotency_record, now) {
        IdempotencyState::Free => Ok((caller_key, context)),
        IdempotencyState::Replay(response) => {
            Err(replay(response)
                .map_or(LookupOutcome::IdempotencyKeyReused, LookupOutcome::Replayed))
        }
        IdempotencyState::Mismatch => Err(LookupOutcome::IdempotencyKeyReused),
    }
}

/// Metering of the lookups of one authorised request.
pub(crate) struct Metering<'a> {
    pub(crate) caller_key: &'a KeyWithClient,
    pub(crate) context: &'a Context,
    pub(crate) idempotency: Option<IdempotencyInput>,
    pub(crate) rules: &'a MeterRules,
    pub(crate) now: Timestamp,
}

/// Recorded lookups of several addresses.
pub(crate) struct RecordedAll {
    /// The changes, in order, one for each address.
    pub(crate) writes: Vec<LookupWrite>,
    /// The answers, in the same order.
    pub(crate) answers: Vec<Answer>,
    /// The meter after them.
    pub(crate) meter: MeterState,
    /// The beginning of the next period, if a cap has rejected the next address.
    pub(crate) resets_at: Option<Timestamp>,
}

impl Metering<'_> {
    /// Returns the stored meter, or the one before the first lookup.
    pub(super) fn initial(&self, stored: Option<&MeterState>) -> MeterState {
        stored
            .copied()
            .unwrap_or_else(|| MeterState::new(self.caller_key.ledger()))
    }

    /// Records these addresses after the stored meter, up to the first that a cap rejects. The nonces of their commitments are
    /// derived from the seed.
    pub(crate) fn record_all<'f>(
        &self,
        stored: Option<&MeterState>,
        nonce_seed: &[u8; 32],
        addresses: impl ExactSizeIterator<Item = (EoaAddress, AddressFacts<'f>)>,
    ) -> RecordedAll {
        let nonces = nonces(nonce_seed, addresses.len());
        let writes = Vec::with_capacity(addresses.len());
        let answers = Vec::with_capacity(addresses.len());
        let mut recorded_lookups = RecordedAll {
            writes,
            answers,
            meter: self.initial(stored),
            resets_at: None,
        };
        for ((address, facts), nonce) in addresses.zip(nonces) {
            match self.record(&recorded_lookups.meter, Opening { nonce, address }, facts) {
                Ok((write, answer)) => {
                    recorded_lookups.meter = write.meter;
                    recorded_lookups.writes.push(write);
                    recorded_lookups.answers.push(answer);
                }
                Err(resets_at) => {
                    recorded_lookups.resets_at = Some(resets_at);
                    break;
                }
            }
        }
        recorded_lookups
    }

    /// Records one address after `before`. Returns the changes without an idempotency record, and the answer. If a cap is
    /// reached, returns the beginning of the next period.
    pub(super) fn record(
        &self,
        before: &MeterState,
        opening: Opening,
        facts: AddressFacts<'_>,
    ) -> Result<(LookupWrite, Answer), Timestamp> {
        let answer = facts.answer(
            self.caller_key.key.environment,
            self.context,
            &opening.address,
        );
        let lookup = MeteringInput {
            context: self.context.number,
            key: self.caller_key.key.number,
            answer,
            commitment: opening.commit(&self.context.id),
            idempotency: self.idempotency.map(|input| input.key_digest),
            environment: self.caller_key.key.environment,
        };
        match decide(before, &lookup, self.rules, self.now) {
            (_, MeteringDecision::CapReached { resets_at }) => Err(resets_at),
            (meter, MeteringDecision::Recorded(metered)) => {
                let marker = metered.ended.as_ref().map(|ending| ending.marker);
                let write = LookupWrite {
                    rows: marker.into_iter().chain([metered.row]).collect(),
                    ended: metered.ended.map(|ending| ending.period),
                    book: metered.book,
                    alerts: metered.alerts,
                    meter,
                    opening,
                    verdict: facts.first_looked_up(self.caller_key.key.environment),
                    idempotency_record: None,
                };
                Ok((write, answer))
            }
        }
    }

    /// Returns the idempotency record of the request with its key digest, if the caller sent a key.
    pub(super) fn idempotency_record(
        &self,
        response: impl FnOnce() -> RecordedResponse,
    ) -> Option<(IdempotencyDigest, IdempotencyRecord)> {
        self.idempotency.map(|input| {
            (
                input.key_digest,
                IdempotencyRecord::new(&input, response(), self.now),
            )
        })
    }
}

/// Returns the nonces of `count` rows: the BLAKE3 output stream that the seed keys.
pub(super) fn nonces(seed: &[u8; 32], count: usize) -> Vec<[u8; 16]> {
    let mut nonces = vec![[0; 16]; count];
    blake3::Hasher::new_keyed(seed)
        .finalize_xof()
        .fill(nonces.as_flattened_mut());
    nonces
}
