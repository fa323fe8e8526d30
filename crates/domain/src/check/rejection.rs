//! Rejections of a check by the protocol. The browser receives the same answer for all of them.

/// Reason for a rejection by the protocol gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GateRejection {
    /// The challenge is malformed or has no valid MAC of this installation.
    #[error("the challenge is malformed or not ours")]
    ChallengeForged,
    /// The challenge is older than five minutes.
    #[error("the challenge has expired")]
    ChallengeExpired,
    /// The challenge belongs to another check, context or address.
    #[error("the challenge belongs to another check, context or address")]
    ChallengeMismatch,
    /// The check was concluded before.
    #[error("the challenge was used before")]
    ChallengeUsed,
    /// The proof of work is missing or wrong.
    #[error("the work does not solve the puzzle")]
    WorkUnsolved,
    /// A batch was sent twice or out of order.
    #[error("a batch number came twice or out of order")]
    BatchNumber,
    /// The second batch does not answer the step in the reply to the first.
    #[error("the second batch does not answer the drawn step")]
    StepNotAnswered,
    /// The targets or the presses are not at the drawn positions.
    #[error("the targets or presses are not where the server drew them")]
    LayoutMismatch,
    /// The events cannot have happened in the elapsed time.
    #[error("the events do not fit into the time that passed")]
    ImpossibleTiming,
    /// Another check of the context presented the same pointer and key events.
    #[error("the same events were presented before")]
    Duplicate,
    /// The check was completed without its first two batches.
    #[error("evidence is missing: a check needs its first two batches")]
    Incomplete,
}

impl GateRejection {
    /// All reasons.
    pub const ALL: [Self; 11] = [
        Self::ChallengeForged,
        Self::ChallengeExpired,
        Self::ChallengeMismatch,
        Self::ChallengeUsed,
        Self::WorkUnsolved,
        Self::BatchNumber,
        Self::StepNotAnswered,
        Self::LayoutMismatch,
        Self::ImpossibleTiming,
        Self::Duplicate,
        Self::Incomplete,
    ];

    /// Returns the stable name of the reason, as stored, logged and counted.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ChallengeForged => "challenge_forged",
            Self::ChallengeExpired => "challenge_expired",
            Self::ChallengeMismatch => "challenge_foreign",
            Self::ChallengeUsed => "challenge_used",
            Self::WorkUnsolved => "work_unsolved",
            Self::BatchNumber => "batch_number",
            Self::StepNotAnswered => "step_unanswered",
            Self::LayoutMismatch => "layout_not_drawn",
            Self::ImpossibleTiming => "time_impossible",
            Self::Duplicate => "duplicate",
            Self::Incomplete => "incomplete",
        }
    }
}
