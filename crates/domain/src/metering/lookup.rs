//! One lookup as a pure step: from what a store holds to what it has to write.

use super::{
    Alert, AlertSet, ChainHead, EndedPeriod, LedgerRow, MeterRules, MeterState, MeteringDecision, MeteringInput,
    Opening, decide,
};
use crate::billing::PriceBook;
use crate::registry::{Context, KeyWithClient};
use crate::secrets::{AddressDigest, IdempotencyDigest, KeyDigest};
use crate::verdict::{self, Answer, Detail, Tombstone, Verdict};
use crate::vocabulary::{ContextId, Environment, EoaAddress, Scope, Timestamp};
use std::sync::Arc;
use std::time::Duration;

/// How long an idempotency claim is kept.
const IDEMPOTENCY_TTL: Duration = Duration::from_hours(24);

/// A lookup as it is handed to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupRequest {
    /// The digest of the caller's key.
    pub key: KeyDigest,
    /// The context asked about.
    pub context: ContextId,
    /// The address asked about.
    pub address: EoaAddress,
    /// The digest under which a tombstone of the address is kept in that context.
    pub digest: AddressDigest,
    /// Random bytes for the commitment.
    pub nonce: [u8; 16],
    /// The idempotency claim, if the caller made one.
    pub claim: Option<IdempotencyInput>,
    /// The rules of metering in force.
    pub rules: MeterRules,
    /// `true` if the detail is answered, too. It changes nothing else of the step.
    pub is_detailed: bool,
}

/// An idempotency claim: digests of the caller's key and of the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyInput {
    /// The digest of route and key.
    pub key_digest: IdempotencyDigest,
    /// The digest of the parameters.
    pub fingerprint: IdempotencyDigest,
}

/// A claim as it is kept, with the answer it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The digest of the parameters it was made with.
    pub parameters: IdempotencyDigest,
    /// What was answered.
    pub answer: RecordedResponse,
    /// Until when it is replayed.
    pub expires_at: Timestamp,
}

/// The answer that a claim replays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedResponse {
    /// A lookup's.
    Lookup(RecordedAnswer),
    /// A registration's.
    Context(ContextId),
    /// A redemption's: the receipt was valid, then.
    Redeemed(Timestamp),
}

/// An answer with the row that records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedAnswer {
    /// The public answer.
    pub answer: Answer,
    /// The sequence number of its row.
    pub seq: u64,
    /// The chain's head after its row.
    pub head: ChainHead,
    /// The detail, if it was asked for.
    pub detail: Option<Detail>,
}

/// What became of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupOutcome {
    /// Its row is committed, and it has raised these alerts.
    Recorded(RecordedAnswer, AlertSet),
    /// The same request was answered before; this is that answer, and nothing is billed.
    Replayed(RecordedAnswer),
    /// The idempotency key was used with other parameters.
    IdempotencyKeyReused,
    /// The client's own hard cap is reached.
    CapReached {
        /// When the next period begins.
        resets_at: Timestamp,
    },
    /// The key is unknown, revoked or expired.
    InvalidKey,
    /// The key may not look up.
    ScopeMissing,
    /// The client is suspended.
    ClientSuspended,
    /// The context is unknown, or one that the key may not use; the two cannot be told apart.
    UnknownContext,
}

/// What a store has read inside the step.
#[derive(Debug, Clone, Copy)]
pub struct LookupFacts<'a> {
    /// The holder of the key digest.
    pub key: Option<&'a KeyWithClient>,
    /// The context of that id, whoever it belongs to.
    pub context: Option<&'a Context>,
    /// The verdict on the address in that context.
    pub verdict: Option<&'a Verdict>,
    /// What an erase has left of the address in that context.
    pub tombstone: Option<&'a Tombstone>,
    /// The meter of the key's client and environment; `None` before its first lookup.
    pub meter: Option<&'a MeterState>,
    /// The claim stored under the client and the request's claim key.
    pub claim: Option<&'a IdempotencyRecord>,
}

/// What a store has to write, all or nothing, and then to answer.
#[derive(Debug, Clone)]
pub struct LookupStep {
    /// The outcome.
    pub outcome: LookupOutcome,
    /// What to write; `None` if the outcome changes nothing.
    pub write: Option<LookupWrite>,
}

/// The writes of a recorded lookup.
#[derive(Debug, Clone)]
pub struct LookupWrite {
    /// The ledger's rows to append, in order.
    pub rows: Vec<LedgerRow>,
    /// The period that the first of two rows ends.
    pub ended: Option<EndedPeriod>,
    /// The price book of the period that begins, to be kept.
    pub book: Option<Arc<PriceBook>>,
    /// The alerts to keep.
    pub alerts: Vec<Alert>,
    /// The meter after them.
    pub meter: MeterState,
    /// The opening of the last row's commitment.
    pub opening: Opening,
    /// The claim to keep.
    pub claim: Option<(IdempotencyDigest, IdempotencyRecord)>,
}

/// Whether a claim may go on, is a replay, or was reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdempotencyState<'a> {
    /// No claim, a new one, or an expired one.
    Free,
    /// The same request, answered before.
    Replay(&'a RecordedResponse),
    /// Another request under the same key.
    Mismatch,
}

/// Compares a claim with what is stored under its key.
pub fn idempotency_state<'a>(
    claim: Option<&IdempotencyInput>,
    stored: Option<&'a IdempotencyRecord>,
    now: Timestamp,
) -> IdempotencyState<'a> {
    match (claim, stored) {
        (Some(claim), Some(stored)) if now < stored.expires_at => {
            if claim.fingerprint == stored.parameters {
                IdempotencyState::Replay(&stored.answer)
            } else {
                IdempotencyState::Mismatch
            }
        }
        _ => IdempotencyState::Free,
    }
}

impl IdempotencyRecord {
    /// A claim made now, with its answer.
    pub fn new(claim: &IdempotencyInput, answer: RecordedResponse, now: Timestamp) -> Self {
        Self { parameters: claim.fingerprint, answer, expires_at: now.saturating_add(IDEMPOTENCY_TTL) }
    }
}

/// Decides a lookup from what the store holds at `now`. Pure: adapters read the facts, call this, and write the step.
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
    match idempotency_state(request.claim.as_ref(), facts.claim, now) {
        IdempotencyState::Free => Ok((holder, context)),
        // A plain answer is no replay of a detailed one, nor the other way round.
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
        claim: request.claim.map(|claim| claim.key_digest),
    };
    match decide(&before, &lookup, &request.rules, now) {
        (_, MeteringDecision::CapReached { resets_at }) => {
            LookupStep { outcome: LookupOutcome::CapReached { resets_at }, write: None }
        }
        (after, MeteringDecision::Recorded(metered)) => {
            let answered = RecordedAnswer { answer, seq: metered.row.seq, head: after.head, detail };
            let claim = request.claim.map(|claim| {
                (claim.key_digest, IdempotencyRecord::new(&claim, RecordedResponse::Lookup(answered), now))
            });
            let outcome = LookupOutcome::Recorded(answered, metered.alerts.iter().map(|alert| alert.kind).collect());
            let write = LookupWrite {
                rows: metered.ended.as_ref().map(|ending| ending.marker).into_iter().chain([metered.row]).collect(),
                ended: metered.ended.map(|ending| ending.period),
                book: metered.book,
                alerts: metered.alerts,
                meter: after,
                opening,
                claim,
            };
            LookupStep { outcome, write: Some(write) }
        }
    }
}
