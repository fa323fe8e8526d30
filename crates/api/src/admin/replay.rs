//! Re-evaluation of stored evidence.

use super::PublicAnswer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services::{Flip, ReplayCounts};
use voight_domain::verdict::{Answer, DecidingCheck};

/// Request to re-evaluate stored evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    /// Content of the policy file.
    pub policy: String,
    /// Reason for applying the changed verdicts, written to the audit log. If absent, they are only listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apply_reason: Option<String>,
}

/// Line of the response. The last line has the member `done`; a response without it is incomplete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayLine {
    /// Address whose answer changes under the policy.
    Flip(ReplayFlip),
    /// Progress since the previous line of this kind.
    Progress(ReplayProgress),
    /// End of the response.
    Done {
        /// Version of the policy.
        policy_version: u32,
    },
}

/// Address whose answer changes under the policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReplayFlip {
    /// Ethereum address.
    pub address: String,
    /// Current answer.
    pub from: PublicAnswer,
    /// Answer under the policy.
    pub to: PublicAnswer,
    /// Decisive check: as evaluated under the policy if that flags the address, otherwise as evaluated originally.
    pub check_id: Option<String>,
    /// Rules that counted against the address in the decisive check.
    pub rules: Vec<CountedRule>,
    /// `true` if a new epoch was started, `false` if the verdict changed in the meantime. Null if changes are only listed.
    pub applied: Option<bool>,
}

/// Rule that counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CountedRule {
    /// Name of the rule.
    pub rule: String,
    /// Added evidence, in nats.
    pub weight_nats: f64,
}

/// Progress of a replay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplayProgress {
    /// Number of addresses with a verdict.
    pub addresses: u64,
    /// Number of checks that were re-evaluated from their evidence.
    pub judged: u64,
    /// Number of checks whose evidence was deleted; their original evaluation counts.
    pub without_evidence: u64,
    /// Number of addresses that were skipped because they have too many events.
    pub skipped: u64,
}

impl From<&Flip> for ReplayFlip {
    fn from(flip: &Flip) -> Self {
        let Flip {
            address,
            from,
            to,
            deciding,
            applied,
        } = flip;
        let rules = deciding
            .iter()
            .flat_map(|DecidingCheck { rules, .. }| rules);
        Self {
            address: address.to_string(),
            from: (*from).into(),
            to: (*to).into(),
            check_id: deciding.as_ref().map(|deciding| deciding.check.to_string()),
            rules: rules
                .map(|(rule, weight)| CountedRule {
                    rule: rule.clone(),
                    weight_nats: weight.as_f64(),
                })
                .collect(),
            applied: *applied,
        }
    }
}

impl From<Answer> for PublicAnswer {
    fn from(Answer { is_bot, score }: Answer) -> Self {
        Self {
            is_bot,
            score: score.as_f64(),
        }
    }
}

impl From<ReplayCounts> for ReplayProgress {
    fn from(
        ReplayCounts {
            addresses,
            judged,
            without_evidence,
            skipped,
        }: ReplayCounts,
    ) -> Self {
        Self {
            addresses,
            judged,
            without_evidence,
            skipped,
        }
    }
}
