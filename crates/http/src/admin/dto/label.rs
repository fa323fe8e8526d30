//! What operators know of addresses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::ports::LabelRecord;
use voight_domain::services::LabelledAnswers;
use voight_domain::verdict::{self, ScoreErrors};

/// Who uses an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    /// A person.
    Human,
    /// A program.
    Bot,
}

/// Labels to keep, all or none of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLabels {
    /// The labels, each of another address.
    pub labels: Vec<NewLabel>,
    /// Why; kept in the audit log, so it must not name an address.
    pub reason: String,
}

/// A label to keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLabel {
    /// The address.
    pub address: String,
    /// Who uses it.
    pub label: Truth,
    /// Whether they agreed that what their checks recorded is kept for training.
    #[serde(default)]
    pub consent: bool,
    /// How the operator knows; the reason of all where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A label that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Label {
    /// The address, with its EIP-55 checksum.
    pub address: String,
    /// Who uses it.
    pub label: Truth,
    /// Whether they agreed that what their checks recorded is kept for training.
    pub consent: bool,
    /// How the operator knows.
    pub reason: String,
    /// When it was given.
    pub at: String,
}

/// What became of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Labelled {
    /// How many are kept.
    pub labelled: usize,
}

/// How answers compare with labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Calibration {
    /// Labelled addresses that were compared.
    pub addresses: usize,
    /// Labelled addresses that were never checked; they are not compared.
    pub unchecked: usize,
    /// People who are taken for bots.
    pub false_positives: Share,
    /// Bots that are not taken for bots.
    pub false_negatives: Share,
    /// By how much the scores overstate how often answers are right; all four are absent where nothing was compared.
    pub over: Option<f64>,
    /// The expected calibration error.
    pub ece: Option<f64>,
    /// The Brier score.
    pub brier: Option<f64>,
    /// The logarithmic loss, in nats.
    pub log_loss: Option<f64>,
}

/// A share of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Share {
    /// How many it was.
    pub hits: usize,
    /// Of how many.
    pub of: usize,
    /// The one-sided 95 % upper bound of the share; absent of none.
    pub at_most: Option<f64>,
}

impl From<Truth> for verdict::Truth {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::Human => Self::Human,
            Truth::Bot => Self::Bot,
        }
    }
}

impl From<verdict::Truth> for Truth {
    fn from(truth: verdict::Truth) -> Self {
        match truth {
            verdict::Truth::Human => Self::Human,
            verdict::Truth::Bot => Self::Bot,
        }
    }
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
    fn from(found: &LabelledAnswers) -> Self {
        let LabelledAnswers { calibration, without_verdict: unchecked } = found;
        let score = |member: fn(&ScoreErrors) -> f64| calibration.scores.as_ref().map(member);
        Self {
            addresses: calibration.addresses,
            unchecked: *unchecked,
            false_positives: calibration.false_positives.into(),
            false_negatives: calibration.false_negatives.into(),
            over: score(|errors| errors.overconfidence),
            ece: score(|errors| errors.ece),
            brier: score(|errors| errors.brier),
            log_loss: score(|errors| errors.log_loss),
        }
    }
}

impl From<verdict::Proportion> for Share {
    fn from(verdict::Proportion { count: hits, total: of, upper_bound: at_most }: verdict::Proportion) -> Self {
        Self { hits, of, at_most }
    }
}
