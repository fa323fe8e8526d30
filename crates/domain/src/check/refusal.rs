//! Why the protocol refuses a check. The browser is told one and the same thing for all of them.

/// A reason of the protocol gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GateRejection {
    /// The challenge is malformed or carries no MAC of ours.
    #[error("the challenge is malformed or not ours")]
    ChallengeForged,
    /// The challenge is older than its five minutes.
    #[error("the challenge has expired")]
    ChallengeExpired,
    /// The challenge was given to another check, context or address.
    #[error("the challenge belongs to another check, context or address")]
    ChallengeMismatch,
    /// The check was concluded before.
    #[error("the challenge was used before")]
    ChallengeUsed,
    /// The work is missing or does not solve the puzzle.
    #[error("the work does not solve the puzzle")]
    WorkUnsolved,
    /// A batch came twice or out of order.
    #[error("a batch number came twice or out of order")]
    BatchNumber,
    /// The second batch does not answer what the reply to the first drew.
    #[error("the second batch does not answer the drawn step")]
    StepNotAnswered,
    /// The targets were not where the server drew them, or the presses were elsewhere.
    #[error("the targets or presses are not where the server drew them")]
    LayoutMismatch,
    /// The events cannot have happened in the time that passed.
    #[error("the events do not fit into the time that passed")]
    ImpossibleTiming,
    /// The same pointer and key events were presented before.
    #[error("the same events were presented before")]
    Duplicate,
    /// The check was completed without its two batches.
    #[error("evidence is missing: a check needs its first two batches")]
    Incomplete,
}

impl GateRejection {
    /// Every reason.
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

    /// The reason's stable name, as stored, logged and counted.
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
