//! Rows of the table of metrics, for the files that are generated from it.

use super::labels::{
    CheckLayer, CheckOutcome, CheckStep, DatabaseName, DeliveryOutcome, LimiterName, LookupLabel,
    RedemptionLabel, RejectionReason, StoreState, VerdictStatus,
};

/// Instruction to write the generated files again.
pub(super) const REMEDY: &str = "look at the change, then run `cargo xtask metrics`";

/// Metric on the reference page.
pub(super) struct MetricSpec {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) unit: &'static str,
    pub(super) labels: Vec<LabelSpec>,
    pub(super) help: &'static str,
    /// Advice beside the alerts; empty if there is none.
    pub(super) note: &'static str,
    pub(super) alerts: Vec<AlertSpec>,
}

/// Label of a metric.
pub(super) struct LabelSpec {
    pub(super) name: &'static str,
    pub(super) values: LabelValues,
}

/// Values of a label.
pub(super) enum LabelValues {
    /// Description of values that the table does not list.
    Described(&'static str),
    /// All values, each with its meaning.
    Listed(Vec<(&'static str, String)>),
}

impl From<&'static str> for LabelValues {
    fn from(description: &'static str) -> Self {
        Self::Described(description)
    }
}

/// Converts the values of a type of `labels` to a list.
macro_rules! listed {
    ($($name:ident)*) => {
        $(impl From<Vec<$name>> for LabelValues {
            fn from(all: Vec<$name>) -> Self {
                Self::Listed(all.into_iter().map(|value| (value.as_str(), value.meaning())).collect())
            }
        })*
    };
}
listed!(
    CheckLayer CheckOutcome CheckStep DatabaseName DeliveryOutcome LimiterName LookupLabel RedemptionLabel RejectionReason StoreState
    VerdictStatus
);

/// Alert on a metric.
pub(super) struct AlertSpec {
    /// Name without its prefix, in camel case.
    pub(super) name: &'static str,
    /// `critical` or `warning`.
    pub(super) severity: &'static str,
    /// Time for which the expression holds before the alert fires.
    pub(super) hold: &'static str,
    /// Expression of Prometheus.
    pub(super) expression: &'static str,
    /// One sentence without a full stop.
    pub(super) summary: &'static str,
}

impl AlertSpec {
    /// Returns the name of the alert.
    pub(super) fn full_name(&self) -> String {
        format!("Voight{}", self.name)
    }

    /// Returns the file name of the runbook without its extension: the name in kebab case.
    pub(super) fn runbook(&self) -> String {
        let mut words = String::new();
        for letter in self.name.chars() {
            if letter.is_ascii_uppercase() && !words.is_empty() {
                words.push('-');
            }
            words.push(letter.to_ascii_lowercase());
        }
        words
    }
}
