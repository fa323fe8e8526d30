//! Who reads evidence.

use crate::check::{Challenge, Disclosure, EvidenceBatch, GateRejection, InputDigest, StageSize, TargetPosition};
use crate::verdict::Assessment;
use crate::vocabulary::Timestamp;

/// What the service needs to know of a batch before it keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchSummary {
    /// `ctx.contextId`.
    pub context: String,
    /// `ctx.address`.
    pub address: String,
    /// `ctx.batch`.
    pub number: u8,
    /// `ctx.answer`.
    pub answer: Option<String>,
    /// Whether the press in it was made with a pointer.
    pub pointer_press: bool,
    /// The sizes of stage and target, if they were rendered and are finite and positive.
    pub stage: Option<StageSize>,
    /// The digest of its pointer and key events, from 20 events on.
    pub input: Option<InputDigest>,
}

/// Why a batch could not be read: the member at fault, and what it should have been.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvidenceError(pub String);

/// All that is known of a check when it is judged.
#[derive(Debug, Clone, Copy)]
pub struct CheckEvidence<'a> {
    /// What it was opened with.
    pub challenge: &'a Challenge,
    /// Where the second target was drawn, if one was.
    pub second_target: Option<TargetPosition>,
    /// Its batches in the order of their numbers.
    pub batches: &'a [EvidenceBatch],
    /// When it was completed, or is judged without having been.
    pub judged_at: Timestamp,
    /// Whether the window completed it.
    pub completed: bool,
}

/// What an assessor says of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The evidence cannot be of this check.
    Refused(GateRejection),
    /// What the evidence says.
    Assessed(Assessment),
}

/// Reads and judges evidence. Pure: the same evidence gives the same judgement, without clock, store or network.
pub trait Assessor: Send + Sync {
    /// Reads one batch strictly: an unknown member, a wrong type or a broken limit is an error that names it.
    fn summarise_batch(&self, body: &[u8]) -> Result<BatchSummary, EvidenceError>;

    /// Judges a check: first whether the evidence can be of this check (places, times), then what it says.
    fn judge(&self, check: &CheckEvidence<'_>) -> Judgement;

    /// Every member that a batch may have, in plain words for whoever is checked.
    fn disclose(&self) -> &'static [Disclosure];
}
