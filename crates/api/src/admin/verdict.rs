//! Verdicts and their evidence.

use super::{ContextMode, HistoryEvent};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::linkage::ClusterLimitExceeded;
use voight_domain::ports::VerdictRecord;
use voight_domain::registry::ContextSettings;
use voight_domain::services;
use voight_domain::verdict::{self, Answer, Tombstone, answer, effective_verdict};
use voight_domain::vocabulary::EoaAddress;

/// Verdict of an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// Ethereum address, with its EIP-55 checksum.
    pub address: String,
    /// `true` if a lookup reports a bot.
    pub is_bot: bool,
    /// Certainty of the answer, from 0 to 1.
    pub score: f64,
    /// Epoch; each override starts a new one.
    pub epoch: u32,
    /// `true` if a flag was kept when the address was erased. The answer includes it; `owned` and `unverified` only cover later
    /// checks.
    pub has_tombstone: bool,
    /// Owned layer: checks of sessions that belonged to the address.
    pub owned: Layer,
    /// Unverified layer: checks that any visitor could have done.
    pub unverified: Layer,
}

/// Verdict of an address in a list, with its latest change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ListedVerdict {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Time of the latest event in the history of the address.
    pub last_event_at: Option<String>,
    /// Rule that flagged the address first in this epoch, `cluster_limit`, or `override` if an operator set the verdict.
    pub rule: Option<String>,
    /// Limit of addresses in a cluster that the address exceeded last in this epoch.
    pub link: Option<VerdictLink>,
}

/// Verdict on an address that a search found in a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FoundVerdict {
    /// Context of the verdict.
    pub context_id: String,
    /// Client that owns the context.
    pub client_id: String,
    /// Time of archiving of the context; null if the context is not archived.
    pub archived_at: Option<String>,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: ListedVerdict,
}

/// Exceeded limit of addresses in a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VerdictLink {
    /// Kind of the shared cluster: `device` or `operator`.
    pub cluster: String,
    /// Rank of the address, in the order in which the addresses of the cluster were first seen.
    pub rank: u32,
    /// Number of addresses that the context allows.
    pub limit: u32,
    /// `true` if the context flags such addresses, `false` if it only reports them.
    pub flagged: bool,
}

/// Layer of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Layer {
    /// `true` if a check flagged the address; it stays `true` until the next epoch.
    pub flagged: bool,
    /// Largest bot evidence of one check, in nats, after the multiple-testing correction.
    pub bot_nats: f64,
    /// Largest human evidence of one check, in nats.
    pub human_nats: f64,
    /// Time of the first flag.
    pub first_flagged_at: Option<String>,
    /// Number of conclusive checks.
    pub checks: u32,
}

/// Answer of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PublicAnswer {
    /// `true` if the address is identified as a bot.
    pub is_bot: bool,
    /// Certainty of the answer, from 0 to 1.
    pub score: f64,
}

/// Verdict with its event history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// Context id.
    pub context_id: String,
    /// Digest that identifies the address in the audit log.
    pub audit_subject: String,
    /// Mode of the context.
    pub mode: ContextMode,
    /// Certainty that a flag requires, in percent.
    pub min_confidence: u8,
    /// Evidence that a flag requires, in nats, after the multiple-testing correction.
    pub flag_threshold_nats: f64,
    /// Answer in mode `enforce`; it can differ from the answer only if the mode is `observe`.
    pub enforced_answer: PublicAnswer,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Event history, oldest first.
    pub timeline: Vec<HistoryEvent>,
}

impl ListedVerdict {
    /// Builds the verdict as a context with these settings answers it.
    pub fn from_known(item: &services::VerdictListItem, settings: &ContextSettings) -> Self {
        let services::VerdictListItem {
            record,
            tombstone,
            summary,
        } = item;
        let answer = answer(
            &effective_verdict(Some(&record.verdict), tombstone.as_ref()),
            settings,
        );
        Self {
            verdict: Verdict::answered(record, tombstone.as_ref(), answer),
            last_event_at: summary.last_event_at.map(|at| at.to_string()),
            rule: summary.rule.clone(),
            link: summary.link.map(VerdictLink::from),
        }
    }
}

impl From<&services::FoundVerdict> for FoundVerdict {
    fn from(found_verdict: &services::FoundVerdict) -> Self {
        let services::FoundVerdict { context, item } = found_verdict;
        Self {
            context_id: context.id.to_string(),
            client_id: context.client.to_string(),
            archived_at: context.archived_at.map(|at| at.to_string()),
            verdict: ListedVerdict::from_known(item, &context.settings),
        }
    }
}

impl From<ClusterLimitExceeded> for VerdictLink {
    fn from(link: ClusterLimitExceeded) -> Self {
        let ClusterLimitExceeded {
            cluster,
            rank,
            limit,
            flagged,
        } = link;
        Self {
            cluster: cluster.as_str().to_owned(),
            rank,
            limit,
            flagged,
        }
    }
}

impl Verdict {
    fn answered(record: &VerdictRecord, tombstone: Option<&Tombstone>, answer: Answer) -> Self {
        Self {
            address: record.address.to_string(),
            is_bot: answer.is_bot,
            score: answer.score.as_f64(),
            epoch: record.verdict.epoch,
            has_tombstone: tombstone.is_some(),
            owned: (&record.verdict.owned).into(),
            unverified: (&record.verdict.unverified).into(),
        }
    }
}

impl Explanation {
    /// Builds the explanation of the verdict of `address`.
    pub fn from_explanation(address: EoaAddress, explanation: &services::Explanation) -> Self {
        let record = VerdictRecord {
            address,
            verdict: explanation.verdict,
        };
        Self {
            context_id: explanation.context.id.to_string(),
            audit_subject: explanation.audit_digest.to_string(),
            mode: explanation.context.settings.mode.into(),
            min_confidence: explanation.context.settings.min_confidence.percent(),
            flag_threshold_nats: explanation
                .context
                .settings
                .min_confidence
                .flag_threshold()
                .as_f64(),
            enforced_answer: explanation.enforced_answer.into(),
            verdict: Verdict::answered(&record, explanation.tombstone.as_ref(), explanation.answer),
            timeline: explanation
                .timeline
                .iter()
                .map(HistoryEvent::from)
                .collect(),
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
