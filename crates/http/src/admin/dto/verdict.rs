//! Verdicts and what they rest on.

use super::{ContextMode, HistoryEvent};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::VerdictRecord;
use voight_domain::registry::ContextSettings;
use voight_domain::services;
use voight_domain::verdict::{self, Answer, answer, effective_verdict};
use voight_domain::vocabulary::EoaAddress;

/// The verdict on an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// The address, with its EIP-55 checksum.
    pub address: String,
    /// What a lookup answers.
    pub is_bot: bool,
    /// How certain that is, from 0 to 1.
    pub score: f64,
    /// Raised by every override.
    pub epoch: u32,
    /// Whether an erase has left a flag, which the answer rests on, too; `bound` and `claimed` are of checks since then.
    pub tombstone: bool,
    /// Checks of sessions that belonged to the address.
    pub bound: Layer,
    /// Checks that anybody could have done.
    pub claimed: Layer,
}

/// One layer of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Layer {
    /// Whether a check flagged the address; it stays so within the epoch.
    pub flagged: bool,
    /// The strongest evidence for a bot, after the spread over checks.
    pub bot_nats: f64,
    /// The strongest evidence for a human.
    pub human_nats: f64,
    /// When it was first flagged.
    pub first_flagged_at: Option<String>,
    /// Checks that could be judged.
    pub checks: u32,
}

/// A public answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PublicAnswer {
    /// Whether the address is taken for a bot's.
    pub is_bot: bool,
    /// How certain that is, from 0 to 1.
    pub score: f64,
}

/// A verdict with its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The context.
    pub context_id: String,
    /// What names the address in the audit log.
    pub audit_digest: String,
    /// Whether verdicts are acted on.
    pub mode: ContextMode,
    /// The certainty that a flag asks for, in percent.
    pub sensitivity: u8,
    /// The evidence that a flag asks for, after the spread over checks.
    pub flag_needs_nats: f64,
    /// What an enforcing context would answer; differs from the answer only where the mode is `observe`.
    pub would_answer: PublicAnswer,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What happened, oldest first.
    pub timeline: Vec<HistoryEvent>,
}

/// An operator's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OverrideRequest {
    /// The decision.
    pub to: OverrideTo,
    /// Why; kept in the audit log.
    pub reason: String,
}

/// What an operator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverrideTo {
    /// Not a bot: the verdict starts anew.
    Human,
    /// A bot.
    Bot,
}

impl From<OverrideTo> for verdict::OverrideTo {
    fn from(to: OverrideTo) -> Self {
        match to {
            OverrideTo::Human => Self::Human,
            OverrideTo::Bot => Self::Bot,
        }
    }
}

impl From<verdict::OverrideTo> for OverrideTo {
    fn from(to: verdict::OverrideTo) -> Self {
        match to {
            verdict::OverrideTo::Human => Self::Human,
            verdict::OverrideTo::Bot => Self::Bot,
        }
    }
}

impl Verdict {
    /// What is known, as a context with these settings answers it.
    pub(crate) fn from_known(known: &services::VerdictListItem, settings: &ContextSettings) -> Self {
        let services::VerdictListItem { record, tombstone } = known;
        let answer = answer(&effective_verdict(Some(&record.verdict), tombstone.as_ref()), settings);
        Self::answered(record, tombstone.is_some(), answer)
    }

    fn answered(record: &VerdictRecord, tombstone: bool, answer: Answer) -> Self {
        Self {
            address: record.address.to_string(),
            is_bot: answer.is_bot,
            score: answer.score.as_f64(),
            epoch: record.verdict.epoch,
            tombstone,
            bound: (&record.verdict.bound).into(),
            claimed: (&record.verdict.claimed).into(),
        }
    }
}

impl Explanation {
    /// What is known of `address`.
    pub(crate) fn from_explanation(address: EoaAddress, known: &services::Explanation) -> Self {
        let record = VerdictRecord { address, verdict: known.verdict };
        Self {
            context_id: known.context.id.to_string(),
            audit_digest: known.audit_digest.to_string(),
            mode: known.context.settings.mode.into(),
            sensitivity: known.context.settings.sensitivity.percent(),
            flag_needs_nats: known.context.settings.sensitivity.flag_threshold().as_f64(),
            would_answer: known.enforced_answer.into(),
            verdict: Verdict::answered(&record, known.tombstone.is_some(), known.answer),
            timeline: known.timeline.iter().map(HistoryEvent::from).collect(),
        }
    }
}

impl From<&verdict::Layer> for Layer {
    fn from(layer: &verdict::Layer) -> Self {
        Self {
            flagged: layer.flagged,
            bot_nats: layer.bot.as_f64(),
            human_nats: layer.human.as_f64(),
            first_flagged_at: super::optional(layer.first_flagged_at),
            checks: layer.conclusive_checks,
        }
    }
}
