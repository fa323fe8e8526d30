//! Lookup as a pure decision: from the facts that a store has read to the changes that it writes.

use super::{
    Alert, AlertSet, ChainHead, EndedPeriod, LedgerRow, MeterRules, MeterState, MeteringDecision, MeteringInput,
    Opening, decide,
};
use crate::billing::PriceBook;
use crate::registry::{Context, KeyWithClient};
use crate::retention::IDEMPOTENCY_TTL;
use crate::secrets::{AddressDigest, DigestKey, IdempotencyDigest, KeyDigest};
use crate::verdict::{self, Answer, Detail, Tombstone, Verdict};
use crate::vocabulary::{ContextId, Environment, EoaAddress, Scope, Timestamp};
use std::sync::Arc;

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
        self.address_key.address_digest(&self.context, &self.address)
    }
}

/// Digests of the caller's idempotency key and of the request parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyInput {
    /// The digest of route and idempotency key.
    pub key_digest: IdempotencyDigest,
    /// The digest of the parameters.
    pub fingerprint: IdempotencyDigest,
}

/// Idempotency record: stored parameters with the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The digest of the parameters of the first request.
    pub parameters: IdempotencyDigest,
    /// The response to the first request.
    pub answer: RecordedResponse,
    /// The end of the replay.
    pub expires_at: Timestamp,
}

/// Response that an idempotency record replays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedResponse {
    /// The answer to a lookup.
    Lookup(RecordedAnswer),
    /// The context of a registration.
    Context(ContextId),
    /// The time of a valid redemption.
    Redeemed(Timestamp),
}

/// Answer with the row that records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedAnswer {
    /// The public answer.
    pub answer: Answer,
    /// The sequence number of the row.
    pub seq: u64,
    /// The chain head after the row.
    pub head: ChainHead,
    /// The detail, if it was requested.
    pub detail: Option<Detail>,
}

/// Outcome of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupOutcome {
    /// The row is committed, and the lookup has raised these alerts.
    Recorded(RecordedAnswer, AlertSet),
    /// A request with the same key and parameters was answered before; nothing is billed.
    Replayed(RecordedAnswer),
    /// The idempotency key was used with other parameters.
    IdempotencyKeyReused,
    /// The client's hard cap is reached.
    CapReached {
        /// The beginning of the next period.
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

/// Facts that a store has read inside its write transaction.
#[derive(Debug, Clone, Copy)]
pub struct LookupFacts<'a> {
    /// The key with this digest, with its client.
    pub key: Option<&'a KeyWithClient>,
    /// The context with this id, of any client.
    pub context: Option<&'a Context>,
    /// The verdict on the address in that context.
    pub verdict: Option<&'a Verdict>,
    /// The tombstone of the address in that context.
    pub tombstone: Option<&'a Tombstone>,
    /// The meter of the key's client and environment; `None` before its first lookup.
    pub meter: Option<&'a MeterState>,
    /// The idempotency record under the client and the request's key digest.
    pub idempotency_record: Option<&'a IdempotencyRecord>,
}

/// Changes that a store writes atomically, and the outcome that it returns.
#[derive(Debug, Clone)]
pub struct LookupStep {
    /// The outcome.
    pub outcome: LookupOutcome,
    /// The changes; `None` if the outcome changes nothing.
    pub write: Option<LookupWrite>,
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
    /// The idempotency record to store, with its key digest.
    pub idempotency_record: Option<(IdempotencyDigest, IdempotencyRecord)>,
}

impl LookupWrite {
    /// Returns the row if it is the only change of the ledger: no period ends or begins with it and no alert is raised.
    /// The meter then follows from the row by [`MeterState::apply`].
    pub fn only_row(&self) -> Option<&LedgerRow> {
        match self.rows.as_slice() {
            [row] if self.ended.is_none() && self.book.is_none() && self.alerts.is_empty() => Some(row),
            _ => None,
        }
    }
}

/// State of an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdempotencyState<'a> {
    /// No key, a new key, or an expired record.
    Free,
    /// The key was used with the same parameters; this is the response.
    Replay(&'a RecordedResponse),
    /// The key was used with other parameters.
    Mismatch,
}

/// Compares a request with the idempotency record under its key.
pub fn idempotency_state<'a>(
    input: Option<&IdempotencyInput>,
    stored: Option<&'a IdempotencyRecord>,
    now: Timestamp,
) -> IdempotencyState<'a> {
    match (input, stored) {
        (Some(input), Some(stored)) if now < stored.expires_at => {
            if input.fingerprint == stored.parameters {
                IdempotencyState::Replay(&stored.answer)
            } else {
                IdempotencyState::Mismatch
            }
        }
        _ => IdempotencyState::Free,
    }
}

impl IdempotencyRecord {
    /// Creates a record of a request that was answered now.
    pub fn new(input: &IdempotencyInput, answer: RecordedResponse, now: Timestamp) -> Self {
        Self { parameters: input.fingerprint, answer, expires_at: now.saturating_add(IDEMPOTENCY_TTL) }
    }
}

/// Decides a lookup from the stored facts at `now`. Pure: adapters read the facts, call this, and write the step.
pub fn answer_lookup(request: &LookupRequest, facts: LookupFacts<'_>, now: Timestamp) -> LookupStep {
    match authorise(request, &facts, now) {
        Err(outcome) => LookupStep { outcome, write: None },
        Ok((holder, context)) => meter(request, &facts, holder, context, now),
    }
}

fn authorise<'a>(
    request: &LookupRequest,
    facts: &LookupFacts<'a>,
    now: Timestamp,
) -> Result<(&'a KeyWithClient, &'a Context), LookupOutcome> {
    let holder = facts.key.filter(|h| h.key.accepts(request.key, now)).ok_or(LookupOutcome::InvalidKey)?;
    if !holder.key.scopes.allows(Scope::LookupRead) {
        return Err(LookupOutcome::ScopeMissing);
    }
    if holder.is_suspended() {
        return Err(LookupOutcome::ClientSuspended);
    }
    let context = facts.context.filter(|context| context.is_usable_by(holder)).ok_or(LookupOutcome::UnknownContext)?;
    match idempotency_state(request.idempotency.as_ref(), facts.idempotency_record, now) {
        IdempotencyState::Free => Ok((holder, context)),
        // A plain answer is no replay of a detailed one, and vice versa.
        IdempotencyState::Replay(RecordedResponse::Lookup(answered))
            if answered.detail.is_some() == request.is_detailed =>
        {
            Err(LookupOutcome::Replayed(*answered))
        }
        IdempotencyState::Replay(_) | IdempotencyState::Mismatch => Err(LookupOutcome::IdempotencyKeyReused),
    }
}

fn meter(
    request: &LookupRequest,
    facts: &LookupFacts<'_>,
    holder: &KeyWithClient,
    context: &Context,
    now: Timestamp,
) -> LookupStep {
    let environment = holder.key.environment;
    let before = facts.meter.copied().unwrap_or_else(|| MeterState::new(holder.client.id, environment));
    let opening = Opening { nonce: request.nonce, address: request.address };
    let answer = match environment {
        Environment::Sandbox => verdict::magic_answer(&request.address),
        Environment::Live => {
            verdict::answer(&verdict::effective_verdict(facts.verdict, facts.tombstone), &context.settings)
        }
    };
    let detail = request.is_detailed.then(|| match environment {
        Environment::Sandbox => verdict::magic_detail(&request.address),
        Environment::Live => verdict::detail(facts.verdict, facts.tombstone, &context.settings),
    });
    let lookup = MeteringInput {
        context: context.number,
        key: holder.key.number,
        answer,
        commitment: opening.commit(&context.id),
        idempotency: request.idempotency.map(|input| input.key_digest),
    };
    match decide(&before, &lookup, &request.rules, now) {
        (_, MeteringDecision::CapReached { resets_at }) => {
            LookupStep { outcome: LookupOutcome::CapReached { resets_at }, write: None }
        }
        (after, MeteringDecision::Recorded(metered)) => {
            let answered = RecordedAnswer { answer, seq: metered.row.seq, head: after.head, detail };
            let idempotency_record = request.idempotency.map(|input| {
                (input.key_digest, IdempotencyRecord::new(&input, RecordedResponse::Lookup(answered), now))
            });
            let outcome = LookupOutcome::Recorded(answered, metered.alerts.iter().map(|alert| alert.kind).collect());
            let write = LookupWrite {
                rows: metered.ended.as_ref().map(|ending| ending.marker).into_iter().chain([metered.row]).collect(),
                ended: metered.ended.map(|ending| ending.period),
                book: metered.book,
                alerts: metered.alerts,
                meter: after,
                opening,
                idempotency_record,
            };
            LookupStep { outcome, write: Some(write) }
        }
    }
}
