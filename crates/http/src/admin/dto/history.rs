//! What happened to a verdict.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::verdict::{self, Assessment, Event, EventKind, LayerKind, Nats};

/// One event of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEvent {
    /// When.
    pub at: String,
    /// What.
    #[serde(flatten)]
    pub outcome: TimelineEvent,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TimelineEvent {
    /// A check was judged.
    Judged(CheckFindings),
    /// The protocol refused a check; it adds nothing.
    Refused {
        /// The check.
        check_id: String,
        /// The reason's stable name.
        code: String,
        /// The reason in words.
        reason: String,
    },
    /// The check judged just before moved the answer to what is bound to the address.
    Moved {
        /// The check.
        check_id: String,
        /// Whether the claimed layer, which answered until then, is flagged.
        claimed_flagged: bool,
        /// Whether the bound layer, which answers from then on, is flagged.
        bound_flagged: bool,
    },
    /// A check came after as many other addresses of its cluster as the context allows.
    OverLimit {
        /// The check.
        check_id: String,
        /// Whose check it was; a flag is in this layer.
        layer: String,
        /// What the addresses share: `device` or `operator`.
        cluster: String,
        /// The place of this one in the order in which they were first seen.
        rank: u32,
        /// How many the context allows.
        limit: u32,
        /// Whether the context flags such addresses, or only reports them.
        flagged: bool,
    },
    /// An operator opened a new epoch.
    Overridden {
        /// The epoch.
        epoch: u32,
        /// What the operator decided.
        to: super::OverrideTo,
        /// Why, in the operator's words.
        reason: String,
    },
    /// The checks before were judged again, which opened a new epoch.
    Replayed {
        /// The epoch.
        epoch: u32,
        /// The version of the policy that judged.
        policy_version: u32,
        /// Why, in the operator's words.
        reason: String,
    },
}

/// What was found in a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CheckFindings {
    /// The check.
    pub check_id: String,
    /// Whether it was completed, or expired with evidence.
    pub completed: bool,
    /// Whose check it was: `bound` or `claimed`.
    pub layer: String,
    /// Evidence for a bot, before the spread over checks.
    pub bot_nats: f64,
    /// Evidence for a human.
    pub human_nats: f64,
    /// Whether a hard rule fired.
    pub hard: bool,
    /// Whether there was enough to judge by.
    pub covered: bool,
    /// Whether this check alone flags the address; `None` if the day's checks were used up and it added nothing.
    pub flagged: Option<bool>,
    /// The rule table that judged.
    pub policy_version: u32,
    /// The behaviour model that judged; 0 where none did.
    pub model_version: u32,
    /// The findings, by the innocent cause that they share.
    pub causes: Vec<CauseGroup>,
}

/// Findings that share an innocent cause; only the strongest of them counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CauseGroup {
    /// The group's name.
    pub group: String,
    /// What it adds: positive speaks for a bot, negative for a human.
    pub counted_nats: f64,
    /// Its findings.
    pub findings: Vec<Finding>,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// The rule's name.
    pub rule: String,
    /// Its group.
    pub group: String,
    /// Its weight: positive speaks for a bot, negative for a human.
    pub weight_nats: f64,
    /// Whether it is one of the closed list of hard rules.
    pub hard: bool,
    /// Whether it counted.
    pub counted: bool,
    /// What was seen, in words.
    pub reason: String,
}

impl From<&Event> for HistoryEvent {
    fn from(event: &Event) -> Self {
        Self { at: event.at.to_string(), outcome: (&event.kind).into() }
    }
}

impl From<&EventKind> for TimelineEvent {
    fn from(kind: &EventKind) -> Self {
        match kind {
            EventKind::Judged { check, completed, layer, assessment, observation } => {
                let flagged = observation.map(|seen| seen.layer.flagged);
                Self::Judged(CheckFindings::from_assessment(check.to_string(), *completed, *layer, assessment, flagged))
            }
            EventKind::Refused { check, reason } => Self::Refused {
                check_id: check.to_string(),
                code: reason.as_str().to_owned(),
                reason: reason.to_string(),
            },
            EventKind::LayerChanged { check, claimed_flagged, bound_flagged } => Self::Moved {
                check_id: check.to_string(),
                claimed_flagged: *claimed_flagged,
                bound_flagged: *bound_flagged,
            },
            EventKind::ClusterLimitExceeded { check, layer, limit } => Self::OverLimit {
                check_id: check.to_string(),
                layer: layer_word(*layer).to_owned(),
                cluster: limit.cluster.as_str().to_owned(),
                rank: limit.rank,
                limit: limit.limit,
                flagged: limit.flagged,
            },
            EventKind::Overridden { epoch, to, reason } => {
                Self::Overridden { epoch: *epoch, to: (*to).into(), reason: reason.clone() }
            }
            EventKind::Replayed { epoch, policy, reason } => {
                Self::Replayed { epoch: *epoch, policy_version: *policy, reason: reason.clone() }
            }
        }
    }
}

impl CheckFindings {
    fn from_assessment(
        check_id: String,
        completed: bool,
        layer: LayerKind,
        found: &Assessment,
        flagged: Option<bool>,
    ) -> Self {
        Self {
            check_id,
            completed,
            layer: layer_word(layer).to_owned(),
            bot_nats: found.bot.as_f64(),
            human_nats: found.human.as_f64(),
            hard: found.hard,
            covered: found.conclusive,
            flagged,
            policy_version: found.versions.policy,
            model_version: found.versions.model,
            causes: grouped(&found.findings),
        }
    }
}

/// The findings by group, in the order in which each group was first found.
fn grouped(findings: &[verdict::Finding]) -> Vec<CauseGroup> {
    let mut groups: Vec<CauseGroup> = Vec::new();
    for finding in findings {
        let place = groups.iter().position(|group| group.group == finding.group).unwrap_or_else(|| {
            groups.push(CauseGroup { group: finding.group.clone(), counted_nats: 0.0, findings: Vec::new() });
            groups.len() - 1
        });
        groups[place].findings.push(finding.into());
    }
    for group in &mut groups {
        group.counted_nats = sum_of_counted(findings, &group.group);
    }
    groups
}

/// Summed in thousandths, as evidence is kept, so that no rounding shows.
fn sum_of_counted(findings: &[verdict::Finding], group: &str) -> f64 {
    let counted = findings.iter().filter(|finding| finding.counted && finding.group == group);
    counted.map(|finding| finding.weight).sum::<Nats>().as_f64()
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
        LayerKind::Owned => "bound",
        LayerKind::Unverified => "claimed",
    }
}
