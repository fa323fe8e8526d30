//! Metrics of checks: their steps, and the verdicts that they lead to.

use super::Metrics;
use super::label_sets::{CheckLabels, LimiterLabels, VerdictLabels};
use super::labels::{CheckLayer, CheckOutcome, CheckStep, LimiterName, VerdictStatus};
use crate::error::ApiError;
use std::collections::BTreeMap;
use voight_domain::services::CheckedVerdict;
use voight_domain::verdict::{LayerKind, Status};

impl Metrics {
    /// Begins all counters of checks and verdicts, and all entries of limiters, at 0.
    pub(super) fn begin_checks(&self) {
        for step in CheckStep::all() {
            for outcome in CheckOutcome::all() {
                self.count_step(step, outcome, 0);
            }
        }
        for status in VerdictStatus::all() {
            for layer in CheckLayer::all() {
                self.count_verdicts(status, layer, 0);
            }
        }
        for limiter in LimiterName::all() {
            self.set_limiter_entries(&[(limiter, 0)]);
        }
    }

    /// Counts a step of a check with its result.
    pub(crate) fn record_step<T>(&self, step: CheckStep, result: &Result<T, ApiError>) {
        let status = result.as_ref().err().map(|error| error.id().row().status);
        let outcome = match status {
            None => CheckOutcome::Accepted,
            Some(429) => CheckOutcome::RateLimited,
            Some(500..) => CheckOutcome::Failed,
            Some(_) => CheckOutcome::Rejected,
        };
        self.count_step(step, outcome, 1);
    }

    /// Counts expired checks: `evaluated` ones, and `rejected` ones that can never be evaluated.
    pub fn record_expired_checks(&self, evaluated: usize, rejected: usize) {
        self.count_step(CheckStep::Expire, CheckOutcome::Accepted, evaluated as u64);
        self.count_step(CheckStep::Expire, CheckOutcome::Rejected, rejected as u64);
    }

    /// Counts verdicts after checks.
    pub fn record_verdicts(&self, verdicts: BTreeMap<CheckedVerdict, u64>) {
        for (CheckedVerdict { status, layer }, count) in verdicts {
            let status = match status {
                Status::Human => VerdictStatus::Human,
                Status::Bot => VerdictStatus::Bot,
                Status::Unsure => VerdictStatus::Unsure,
                Status::Unknown => VerdictStatus::Unknown,
            };
            let layer = match layer {
                LayerKind::Owned => CheckLayer::Owned,
                LayerKind::Unverified => CheckLayer::Unverified,
            };
            self.count_verdicts(status, layer, count);
        }
    }

    /// Sets the number of entries of the rate limiters.
    pub(crate) fn set_limiter_entries(&self, limiters: &[(LimiterName, usize)]) {
        for (limiter, entries) in limiters {
            let labels = LimiterLabels {
                limiter: limiter.as_str(),
            };
            self.families
                .limiter_entries
                .get_or_create(&labels)
                .set(*entries as u64);
        }
    }

    fn count_step(&self, step: CheckStep, outcome: CheckOutcome, count: u64) {
        let labels = CheckLabels {
            step: step.as_str(),
            outcome: outcome.as_str(),
        };
        self.families.checks.get_or_create(&labels).inc_by(count);
    }

    fn count_verdicts(&self, status: VerdictStatus, layer: CheckLayer, count: u64) {
        let labels = VerdictLabels {
            outcome: status.as_str(),
            layer: layer.as_str(),
        };
        self.families.verdicts.get_or_create(&labels).inc_by(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::TextFormat;
    use voight_api::ErrorId;

    fn assert_line(metrics: &Metrics, line: &str) {
        let text = metrics.render(TextFormat::Classic).unwrap();
        assert!(
            text.lines().any(|printed| printed == line),
            "{line} is not in\n{text}"
        );
    }

    #[test]
    fn outcome_of_a_step_follows_the_response() {
        let metrics = Metrics::default();
        for (outcome, result) in [
            ("accepted", Ok(())),
            ("rejected", Err(ErrorId::CheckRejected.into())),
            ("rate_limited", Err(ApiError::rate_limited(1))),
            ("failed", Err(ErrorId::Internal.into())),
        ] {
            let line = |count| {
                format!(r#"voight_checks_total{{step="open",outcome="{outcome}"}} {count}"#)
            };
            assert_line(&metrics, &line(0));
            metrics.record_step(CheckStep::Open, &result);
            assert_line(&metrics, &line(1));
        }
    }

    #[test]
    fn expired_checks_and_verdicts_are_added() {
        let metrics = Metrics::default();
        metrics.record_expired_checks(3, 1);
        assert_line(
            &metrics,
            r#"voight_checks_total{step="expire",outcome="accepted"} 3"#,
        );
        assert_line(
            &metrics,
            r#"voight_checks_total{step="expire",outcome="rejected"} 1"#,
        );
        let verdict = CheckedVerdict {
            status: Status::Bot,
            layer: LayerKind::Unverified,
        };
        metrics.record_verdicts(BTreeMap::from([(verdict, 2)]));
        metrics.record_verdicts(BTreeMap::from([(verdict, 5)]));
        assert_line(
            &metrics,
            r#"voight_verdicts_total{outcome="bot",layer="unverified"} 7"#,
        );
    }
}
