//! Labels: ground truth from operators.

use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::LabelRecord;
use voight_domain::services::LabelledAnswers;
use voight_domain::verdict::{self, ScoreErrors};

wire_enum! {
    /// Ground truth about an address.
    Truth = verdict::Truth, "snake_case" {
        /// A person uses the address.
        Human,
        /// A program uses the address.
        Bot,
    }
}

/// Labels to store. Either all of them are stored or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLabels {
    /// Labels, each for a different address.
    pub labels: Vec<NewLabel>,
    /// Reason, written to the audit log. It must not contain an address.
    pub reason: String,
}

/// Label to store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLabel {
    /// Ethereum address.
    pub address: String,
    /// Ground truth: `human` or `bot`.
    pub label: Truth,
    /// `true` if the person agreed that recordings of their checks are kept for training.
    #[serde(default)]
    pub consent: bool,
    /// Source of the operator's knowledge. Default: the reason of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Stored label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Label {
    /// Ethereum address, with its EIP-55 checksum.
    pub address: String,
    /// Ground truth: `human` or `bot`.
    pub label: Truth,
    /// `true` if the person agreed that recordings of their checks are kept for training.
    pub consent: bool,
    /// Source of the operator's knowledge.
    pub reason: String,
    /// Time at which the label was set.
    pub at: String,
}

/// Result of storing labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Labelled {
    /// Number of stored labels.
    pub labelled: usize,
}

/// Comparison of the verdicts with the labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Calibration {
    /// Number of labelled addresses that were compared.
    pub addresses: usize,
    /// Number of labelled addresses without a check; they are not compared.
    pub without_verdict: usize,
    /// Share of people who are identified as bots.
    pub false_positives: Share,
    /// Share of bots that are not identified as bots.
    pub false_negatives: Share,
    /// Amount by which the mean score exceeds the accuracy of the answers. This and the next three members are null if no
    /// address was compared.
    pub overconfidence: Option<f64>,
    /// Expected calibration error.
    pub ece: Option<f64>,
    /// Brier score.
    pub brier: Option<f64>,
    /// Logarithmic loss, in nats.
    pub log_loss: Option<f64>,
}

/// Share of a group of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Share {
    /// Number of addresses in the share.
    pub count: usize,
    /// Number of addresses in the group.
    pub total: usize,
    /// One-sided 95 % upper bound of the share; null if the group is empty.
    pub upper_bound_95: Option<f64>,
}

impl From<&LabelRecord> for Label {
    fn from(LabelRecord { address, label }: &LabelRecord) -> Self {
        Self {
            address: address.to_string(),
            label: label.truth.into(),
            consent: label.consent,
            reason: label.reason.clone(),
            at: label.at.to_string(),
        }
    }
}

impl From<&LabelledAnswers> for Calibration {
    fn from(answers: &LabelledAnswers) -> Self {
        let LabelledAnswers {
            calibration,
            without_verdict,
        } = answers;
        let score = |member: fn(&ScoreErrors) -> f64| calibration.scores.as_ref().map(member);
        Self {
            addresses: calibration.addresses,
            without_verdict: *without_verdict,
            false_positives: calibration.false_positives.into(),
            false_negatives: calibration.false_negatives.into(),
            overconfidence: score(|errors| errors.overconfidence),
            ece: score(|errors| errors.ece),
            brier: score(|errors| errors.brier),
            log_loss: score(|errors| errors.log_loss),
        }
    }
}

impl From<verdict::Proportion> for Share {
    fn from(
        verdict::Proportion {
            count,
            total,
            upper_bound,
        }: verdict::Proportion,
    ) -> Self {
        Self {
            count,
            total,
            upper_bound_95: upper_bound,
        }
    }
}
