//! Lookups with the basis of their answer.

use super::ConfidenceBody;
use crate::wire_enum::wire_enum;
use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::metering::RecordedAnswer;
use voight_domain::verdict::{self, Detail};

/// Result of a lookup with the basis of its answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LookupDetailResponse {
    /// Status of the address. `unknown`: no conclusive check, no flag and no override. `human`: an override, or evidence with a
    /// score of 0.1 or more. `bot`: isBot is true. `unsure`: there are conclusive checks but their evidence supports neither,
    /// or the context is in mode `observe` and does not report the flag.
    pub status: Status,
    /// `true` if a bot is detected, as in the plain lookup.
    #[serde(rename = "isBot")]
    pub is_bot: bool,
    /// Certainty of the prediction, as in the plain lookup.
    pub confidence: ConfidenceBody,
    /// Conclusive checks on which the answer is based.
    pub checks: CheckCount,
    /// Layer of the answer: `owned`, `unverified`, or `both`. `owned` covers checks of sessions that belonged to the address,
    /// `unverified` checks that any visitor could have done. `both` merges them, if the context keeps unverified flags. Null if
    /// the status is unknown.
    pub layer: Option<AnsweringLayer>,
    /// Source of the status. `checks`: evidence. `operator`: an override that is in force. `list`: reserved, never returned
    /// yet. Null if the status is unknown.
    pub decided_by: Option<DecidedBy>,
    /// Latest version of the policy that evaluated a check; null if no check was evaluated.
    pub policy: Option<u32>,
    /// Latest version of the behaviour model that evaluated a check; null if none did.
    pub model: Option<u32>,
}

/// Conclusive checks.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckCount {
    /// Number of conclusive checks in the answering layer since the latest override or erasure.
    pub completed: u32,
    /// Time of the latest of these checks, RFC 3339 in UTC; null if there is none or its time is unknown.
    #[schema(format = DateTime)]
    pub last_at: Option<String>,
}

wire_enum! {
    /// Status of an address in a context.
    Status = verdict::Status, "snake_case" {
        /// No conclusive check, no flag and no override.
        Unknown,
        /// An override, or evidence with a score of 0.1 or more.
        Human,
        /// The address is flagged.
        Bot,
        /// Conclusive checks support neither.
        Unsure,
    }
}
wire_enum! {
    /// Source of a status.
    DecidedBy = verdict::DecidedBy, "snake_case" {
        /// Evidence of checks.
        Checks,
        /// Override of an operator.
        Operator,
        /// Reserved.
        List,
    }
}
wire_enum! {
    /// Layer of an answer.
    AnsweringLayer = verdict::AnsweringLayer, "snake_case" {
        /// Checks with proof of wallet ownership.
        Owned,
        /// Checks without proof of wallet ownership.
        Unverified,
        /// Both layers.
        Both,
    }
}

impl LookupDetailResponse {
    /// Builds the response from a recorded answer and its detail.
    pub fn new(RecordedAnswer { answer, .. }: &RecordedAnswer, detail: &Detail) -> Self {
        let version = |number| Some(number).filter(|number| *number > 0);
        Self {
            status: detail.status.into(),
            is_bot: answer.is_bot,
            confidence: ConfidenceBody {
                score: answer.score,
            },
            checks: CheckCount {
                completed: detail.checks,
                last_at: detail.last_check_at.map(|at| at.to_string()),
            },
            layer: detail.layer.map(Into::into),
            decided_by: detail.decided_by.map(Into::into),
            policy: version(detail.versions.policy),
            model: version(detail.versions.model),
        }
    }
}
