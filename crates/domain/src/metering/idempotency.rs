//! Idempotency records: the stored responses to repeated requests.

use super::ChainHead;
use crate::retention::IDEMPOTENCY_TTL;
use crate::secrets::IdempotencyDigest;
use crate::verdict::{Answer, Detail};
use crate::vocabulary::{ContextId, Timestamp};

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
    /// The answers to a batch lookup.
    Batch(RecordedBatch),
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

/// Answers of a batch lookup with the last row that records them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedBatch {
    /// The public answers, in ascending order of their addresses.
    pub answers: Vec<Answer>,
    /// The sequence number of the last row.
    pub seq: u64,
    /// The chain head after the last row.
    pub head: ChainHead,
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
        Self {
            parameters: input.fingerprint,
            answer,
            expires_at: now.saturating_add(IDEMPOTENCY_TTL),
        }
    }
}
