//! Event history of a verdict.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::verdict::{self, Assessment, Event, EventKind, LayerKind, Nats, Observation};
use voight_domain::vocabulary::CheckId;

/// Event in the history of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEvent {
    /// Time of the event.
    pub at: String,
    /// The event.
    #[serde(flatten)]
    pub outcome: TimelineEvent,
}

/// Event in the history of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TimelineEvent {
    /// A check was evaluated.
    Judged(CheckFindings),
    /// The protocol rejected a check, which therefore adds nothing.
    Refused {
        /// Check id.
        check_id: String,
        /// Stable code of the reason.
        code: String,
        /// Reason as text.
        reason: String,
    },
    /// The answer changed from the unverified layer to the owned layer. The check that was evaluated just before caused it.
    LayerChanged {
        /// Check id.
        check_id: String,
        /// `true` if the unverified layer, which answered before, is flagged.
        unverified_flagged: bool,
        /// `true` if the owned layer, which answers from then on, is flagged.
        owned_flagged: bool,
    },
    /// A check exceeded the number of addresses that the context allows for one cluster.
    ClusterLimitExceeded {
        /// Check id.
        check_id: String,
        /// Layer of the check, and of the flag if one is set.
        layer: String,
        /// Kind of the shared cluster: `device` or `operator`.
        cluster: String,
        /// Rank of the address, in the order in which the addresses of the cluster were first seen.
        rank: u32,
        /// Number of addresses that the context allows.
        limit: u32,
        /// `true` if the context flags such addresses, `false` if it only reports them.
        flagged: bool,
    },
    /// An operator set the verdict, which started a new epoch.
    Overridden {
        /// The new epoch.
        epoch: u32,
        /// Verdict that the operator set.
        to: super::OverrideTo,
        /// Reason given by the operator.
        reason: String,
    },
    /// Earlier checks were re-evaluated, which started a new epoch.
    Replayed {
        /// The new epoch.
        epoch: u32,
        /// Version of the policy of the re-evaluation.
        policy_version: u32,
        /// Reason given by the operator.
        reason: String,
    },
}

/// Findings of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CheckFindings {
    /// Check id.
    pub check_id: String,
    /// `true` if the check was completed, `false` if it expired with evidence.
    pub completed: bool,
    /// Layer of the check: `owned` or `unverified`.
    pub layer: String,
    /// Evidence for a bot in nats, before the multiple-testing correction.
    pub bot_nats: f64,
    /// Evidence for a human, in nats.
    pub human_nats: f64,
    /// `true` if a hard rule fired.
    pub hard: bool,
    /// `true` if there was enough evidence for an evaluation.
    pub conclusive: bool,
    /// `true` if this check alone flags the address; null if the daily limit of checks was reached and it added nothing.
    pub flagged: Option<bool>,
    /// Version of the rule table that evaluated the check.
    pub policy_version: u32,
    /// Version of the behaviour model that evaluated the check; 0 if none did.
    pub model_version: u32,
    /// Findings, grouped by their shared innocent explanation.
    pub groups: Vec<CauseGroup>,
}

/// Cause group: findings that share an innocent explanation. Only the strongest finding counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CauseGroup {
    /// Name of the group.
    pub group: String,
    /// Counted evidence in nats: positive for a bot, negative for a human.
    pub counted_nats: f64,
    /// Findings of the group.
    pub findings: Vec<Finding>,
}

/// Finding: one result of evaluating the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// Name of the rule.
    pub rule: String,
    /// Cause group of the rule.
    pub group: String,
    /// Weight in nats: positive for a bot, negative for a human.
    pub weight_nats: f64,
    /// `true` for a hard rule: it can flag an address without a second cause group.
    pub hard: bool,
    /// `true` if the finding counted.
    pub counted: bool,
    /// Observation as text.
    pub reason: String,
}

impl CheckFindings {
    fn new(
        check: CheckId,
        completed: bool,
        layer: LayerKind,
        assessment: &Assessment,
        observation: Option<&Observation>,
    ) -> Self {
        Self {
            check_id: check.to_string(),
            completed,
            layer: layer_word(layer).to_owned(),
            bot_nats: assessment.bot.as_f64(),
            human_nats: assessment.human.as_f64(),
            hard: assessment.hard,
            conclusive: assessment.conclusive,
            flagged: observation.map(|observation| observation.layer.flagged),
            policy_version: assessment.versions.policy,
            model_version: assessment.versions.model,
            groups: grouped(&assessment.findings),
        }
    }
}

impl From<&Event> for HistoryEvent {
    fn from(event: &Event) -> Self {
        Self {
            at: event.at.to_string(),
            outcome: (&event.kind).into(),
        }
    }
}

impl From<&EventKind> for TimelineEvent {
    fn from(kind: &EventKind) -> Self {
        match kind {
            EventKind::Judged {
                check,
                completed,
                layer,
                assessment,
                observation,
            } => Self::Judged(CheckFindings::new(
                *check,
                *completed,
                *layer,
                assessment,
                observation.as_ref(),
            )),
            EventKind::Rejected { check, reason } => Self::Refused {
                check_id: check.to_string(),
                code: reason.as_str().to_owned(),
                reason: reason.to_string(),
            },
            EventKind::LayerChanged {
                check,
                unverified_flagged,
                owned_flagged,
            } => Self::LayerChanged {
                check_id: check.to_string(),
                unverified_flagged: *unverified_flagged,
                owned_flagged: *owned_flagged,
            },
            EventKind::ClusterLimitExceeded {
                check,
                layer,
                limit,
            } => Self::ClusterLimitExceeded {
                check_id: check.to_string(),
                layer: layer_word(*layer).to_owned(),
                cluster: limit.cluster.as_str().to_owned(),
                rank: limit.rank,
                limit: limit.limit,
                flagged: limit.flagged,
            },
            EventKind::Overridden { epoch, to, reason } => Self::Overridden {
                epoch: *epoch,
                to: (*to).into(),
                reason: reason.clone(),
            },
            EventKind::Replayed {
                epoch,
                policy,
                reason,
            } => Self::Replayed {
                epoch: *epoch,
                policy_version: *policy,
                reason: reason.clone(),
            },
        }
    }
}

/// Groups the findings; groups are in the order of their first finding.
fn grouped(findings: &[verdict::Finding]) -> Vec<CauseGroup> {
    let mut groups: Vec<CauseGroup> = Vec::new();
    for finding in findings {
        let index = groups
            .iter()
            .position(|group| group.group == finding.group)
            .unwrap_or_else(|| {
                groups.push(CauseGroup {
                    group: finding.group.clone(),
                    counted_nats: 0.0,
                    findings: Vec::new(),
                });
                groups.len() - 1
            });
        groups[index].findings.push(finding.into());
    }
    for group in &mut groups {
        group.counted_nats = sum_of_counted(findings, &group.group);
    }
    groups
}

/// Sums in thousandths of a nat, the unit in which evidence is stored, so that the sum has no rounding error.
fn sum_of_counted(findings: &[verdict::Finding], group: &str) -> f64 {
    let counted_findings = findings
        .iter()
        .filter(|finding| finding.counted && finding.group == group);
    counted_findings
        .map(|finding| finding.weight)
        .sum::<Nats>()
        .as_f64()
}

impl From<&verdict::Finding> for Finding {
    fn from(finding: &verdict::Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            group: finding.group.clone(),
            weight_nats: finding.weight.as_f64(),
            hard: finding.hard,
            counted: finding.counted,
            reason: finding.reason.clone(),
        }
    }
}

const fn layer_word(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Owned => "owned",
        LayerKind::Unverified => "unverified",
    }
}
