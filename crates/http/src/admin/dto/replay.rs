//! Judging stored evidence again.

use super::PublicAnswer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services::{Flip, ReplayCounts};
use voight_domain::verdict::{Answer, DecidingCheck};

/// A replay to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    /// The text of the policy's file.
    pub policy: String,
    /// Why flips are made, kept in the audit log; without it they are only shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apply: Option<String>,
}

/// A line of the answer. The last is [`ReplayLine::Done`]; an answer without it was broken off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayLine {
    /// An address whose answer is another under the policy.
    Flip(ReplayFlip),
    /// What the replay has come through since the line before of this kind.
    Progress(ReplayProgress),
    /// That was all.
    Done {
        /// The policy's version.
        policy_version: u32,
    },
}

/// An address whose answer is another under the policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReplayFlip {
    /// The address.
    pub address: String,
    /// What is answered.
    pub from: PublicAnswer,
    /// What would be answered under the policy.
    pub to: PublicAnswer,
    /// The check that decides: under the policy where it flags, else as it was judged.
    pub check_id: Option<String>,
    /// The rules that counted against the address in that check.
    pub rules: Vec<CountedRule>,
    /// Whether a new epoch was opened: not where the verdict has changed meanwhile. Absent where flips are only shown.
    pub applied: Option<bool>,
}

/// A rule that counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CountedRule {
    /// Its name.
    pub rule: String,
    /// What it added.
    pub weight_nats: f64,
}

/// What a replay has come through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplayProgress {
    /// Addresses with a verdict.
    pub addresses: u64,
    /// Checks that were judged again from their evidence.
    pub judged: u64,
    /// Checks whose evidence is gone; they count as they were judged.
    pub kept: u64,
    /// Addresses with so many events that they were left out.
    pub left_out: u64,
}

impl From<&Flip> for ReplayFlip {
    fn from(flip: &Flip) -> Self {
        let Flip { address, from, to, deciding, applied } = flip;
        let rules = deciding.iter().flat_map(|DecidingCheck { rules, .. }| rules);
        Self {
            address: address.to_string(),
            from: (*from).into(),
            to: (*to).into(),
            check_id: deciding.as_ref().map(|deciding| deciding.check.to_string()),
            rules: rules
                .map(|(rule, weight)| CountedRule { rule: rule.clone(), weight_nats: weight.as_f64() })
                .collect(),
            applied: *applied,
        }
    }
}

impl From<Answer> for PublicAnswer {
    fn from(Answer { is_bot, score }: Answer) -> Self {
        Self { is_bot, score: score.as_f64() }
    }
}

impl From<ReplayCounts> for ReplayProgress {
    fn from(ReplayCounts { addresses, judged, without_evidence: kept, skipped: left_out }: ReplayCounts) -> Self {
        Self { addresses, judged, kept, left_out }
    }
}
