//! Port of the detection engine that parses and evaluates evidence.

use crate::check::{
    Challenge, Disclosure, EvidenceBatch, FirstInput, GateRejection, InputDigest, StageSize,
    TargetPosition,
};
use crate::verdict::Assessment;
use crate::vocabulary::Timestamp;

/// Fields of an evidence batch that the service needs before it stores the batch.
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
    /// Input that pressed a target in the batch.
    pub first_input: FirstInput,
    /// The sizes of stage and target; `None` unless both were rendered and are finite and positive.
    pub stage: Option<StageSize>,
    /// Digest of the pointer and key events; `None` below 20 events.
    pub input: Option<InputDigest>,
}

/// Parse error of a batch: names the invalid member and the expected value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvidenceError(pub String);

/// Everything that is known about a check when it is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct CheckEvidence<'a> {
    /// The challenge with which the check was opened.
    pub challenge: &'a Challenge,
    /// The batches of the check in the order of their numbers.
    pub batches: &'a [EvidenceBatch],
    /// The time of completion, or of the evaluation of a check that was never completed.
    pub judged_at: Timestamp,
    /// `true` if the window completed the check.
    pub completed: bool,
}

/// Result of evaluating a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The evidence cannot belong to this check.
    Rejected(GateRejection),
    /// The assessment of the evidence.
    Assessed(Assessment),
}

/// Judgement of a check, with what the service needs beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedCheck {
    /// The judgement.
    pub judgement: Judgement,
    /// Digests of the pointer and key events, one for each batch that has one.
    pub inputs: Vec<InputDigest>,
}

/// Draws the position of the second target from the summary of the first batch. `None` if none is drawn.
pub type DrawTarget<'a> = dyn Fn(&BatchSummary) -> Option<TargetPosition> + 'a;

/// Parses and evaluates evidence. Pure: the same evidence gives the same result, without clock, store or network.
pub trait Assessor: Send + Sync {
    /// Parses one batch strictly.
    ///
    /// # Errors
    ///
    /// An unknown member, a wrong type or an exceeded limit; the error names the member.
    fn summarise_batch(&self, body: &[u8]) -> Result<BatchSummary, EvidenceError>;

    /// Parses each batch once, verifies that the evidence can belong to the check (completeness, positions, times), then
    /// assesses it.
    ///
    /// # Errors
    ///
    /// A stored batch cannot be parsed: another release wrote it.
    fn judge(
        &self,
        check: &CheckEvidence<'_>,
        second_target: &DrawTarget<'_>,
    ) -> Result<JudgedCheck, EvidenceError>;

    /// Returns every member that a batch may have, described in plain language for the visitor.
    fn disclose(&self) -> &'static [Disclosure];
}
