//! Metrics in the text formats of Prometheus. Labels are bounded: never a client, key, context, address or network.

#[cfg(test)]
mod alerts;
mod backups;
#[cfg(test)]
mod bounded;
mod buckets;
mod checks;
#[cfg(test)]
mod dashboard;
mod deliveries;
mod label_cap;
mod label_sets;
mod labels;
#[cfg(test)]
mod page;
mod process;
mod snapshot_histogram;
#[cfg(test)]
mod spec;
mod store;
mod table;
mod text_format;

pub(crate) use labels::{CheckStep, LimiterName, LookupLabel, RedemptionLabel, RejectionReason};
pub use text_format::TextFormat;

use label_cap::LabelCap;
use label_sets::{OutcomeLabels, ReasonLabels, RequestLabels, RouteLabels, RuleLabels};
use prometheus_client::encoding::{prometheus_text, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use voight_domain::services::RuleHit;

/// Maximum number of routes with series of their own. The service has about a hundred.
const MAX_ROUTES: usize = 256;
/// Maximum number of rules with series of their own. The rule table has several dozen.
const MAX_RULES: usize = 256;
/// Value of the label `route` for all paths without a route.
pub(crate) const UNMATCHED: &str = "unmatched";
/// Value of the label `rule` for rules above the maximum.
const OTHER_RULE: &str = "other";

/// All metrics of the service.
pub struct Metrics {
    registry: Registry,
    families: table::Metrics,
    newest_backup: backups::NewestBackup,
    /// Counters of lookups by outcome, in the order of [`LookupLabel`].
    lookups: Vec<Counter>,
    /// Admitted values of the label `route`.
    routes: LabelCap,
    /// Admitted values of the label `rule`.
    rules: LabelCap,
}

/// Counter of rejected requests by reason.
#[derive(Debug, Clone, Default)]
pub(crate) struct RejectionCounter(Family<ReasonLabels, Counter>);

impl RejectionCounter {
    /// Counts `count` rejections for the same reason.
    pub(crate) fn record(&self, reason: RejectionReason, count: usize) {
        self.0
            .get_or_create(&ReasonLabels {
                reason: reason.as_str(),
            })
            .inc_by(count as u64);
    }
}

/// Metrics of successful GET requests of one route.
#[derive(Clone)]
pub(crate) struct RouteMetrics {
    requests: Counter,
    durations: Histogram,
}

impl Default for Metrics {
    /// Registers all metrics. Counters with a fixed set of label values begin at 0, so that the first increase is visible.
    fn default() -> Self {
        let (metrics, registry) = table::Metrics::registered();
        let lookup = |outcome: LookupLabel| {
            metrics.lookups.get_or_create_owned(&OutcomeLabels {
                outcome: outcome.as_str(),
            })
        };
        let lookups = LookupLabel::all().into_iter().map(lookup).collect();
        for outcome in RedemptionLabel::all() {
            metrics
                .redemptions
                .get_or_create(&OutcomeLabels {
                    outcome: outcome.as_str(),
                })
                .inc_by(0);
        }
        for reason in RejectionReason::all() {
            metrics
                .rejections
                .get_or_create(&ReasonLabels {
                    reason: reason.as_str(),
                })
                .inc_by(0);
        }
        let metrics = Self {
            registry,
            families: metrics,
            newest_backup: backups::NewestBackup::default(),
            lookups,
            routes: LabelCap::new(MAX_ROUTES, UNMATCHED),
            rules: LabelCap::new(MAX_RULES, OTHER_RULE),
        };
        metrics.begin_checks();
        metrics.begin_deliveries();
        metrics.set_build();
        metrics
    }
}

impl Metrics {
    /// Counts a request with its response.
    pub fn record_request(&self, route: String, method: &'static str, status: u16, took: Duration) {
        let route = self.routes.admit(route);
        let labels = RouteLabels { route };
        self.families
            .durations
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
        self.families
            .requests
            .get_or_create(&RequestLabels {
                route: labels.route,
                method,
                status,
            })
            .inc();
    }

    /// Returns the metrics of the requests of a route with this method that are answered with status 200.
    pub(crate) fn route(&self, route: &str, method: &'static str) -> RouteMetrics {
        let route = self.routes.admit(route);
        let labels = RouteLabels { route };
        let durations = self.families.durations.get_or_create_owned(&labels);
        let labels = RequestLabels {
            route: labels.route,
            method,
            status: 200,
        };
        RouteMetrics {
            requests: self.families.requests.get_or_create_owned(&labels),
            durations,
        }
    }

    /// Counts the outcome of a lookup.
    pub(crate) fn record_lookup(&self, outcome: LookupLabel) {
        self.record_lookups(outcome, 1);
    }

    /// Counts `count` lookups with the same outcome.
    pub(crate) fn record_lookups(&self, outcome: LookupLabel, count: usize) {
        if let Some(counter) = self.lookups.get(outcome as usize) {
            counter.inc_by(count as u64);
        }
    }

    /// Counts the outcome of redeeming a receipt.
    pub(crate) fn record_redemption(&self, outcome: RedemptionLabel) {
        self.families
            .redemptions
            .get_or_create(&OutcomeLabels {
                outcome: outcome.as_str(),
            })
            .inc();
    }

    /// Counts a rejected request.
    pub(crate) fn record_rejection(&self, reason: RejectionReason) {
        self.rejections().record(reason, 1);
    }

    /// Counts `count` rejections for the same reason.
    pub(crate) fn record_rejections(&self, reason: RejectionReason, count: usize) {
        self.rejections().record(reason, count);
    }

    /// Returns the counter of rejected requests.
    pub(crate) fn rejections(&self) -> RejectionCounter {
        RejectionCounter(self.families.rejections.clone())
    }

    /// Counts rule hits.
    pub fn record_rule_hits(&self, hits: BTreeMap<RuleHit, u64>) {
        for (RuleHit { rule, counted }, count) in hits {
            let counted_label = if counted { "true" } else { "false" };
            self.families
                .rules
                .get_or_create(&RuleLabels {
                    rule: self.rules.admit(rule),
                    counted: counted_label,
                })
                .inc_by(count);
        }
    }

    /// Returns the text of all metrics.
    pub fn render(&self, format: TextFormat) -> Result<String, fmt::Error> {
        let mut output = String::new();
        match format {
            TextFormat::Classic => prometheus_text::encode(&mut output, &self.registry)?,
            TextFormat::OpenMetrics => text::encode(&mut output, &self.registry)?,
        }
        Ok(output)
    }
}

impl RouteMetrics {
    /// Counts a request with its response.
    pub(crate) fn record(&self, took: Duration) {
        self.durations.observe(took.as_secs_f64());
        self.requests.inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_printed_by_route_template() {
        let metrics = Metrics::default();
        metrics.record_request(
            "/api/v1/users/eoa".to_owned(),
            "GET",
            200,
            Duration::from_millis(2),
        );
        metrics.record_lookup(LookupLabel::Recorded);
        metrics.record_redemption(RedemptionLabel::Used);
        metrics.record_rule_hits(BTreeMap::from([(
            RuleHit {
                rule: "webdriver".into(),
                counted: true,
            },
            3,
        )]));
        let text = metrics.render(TextFormat::Classic).unwrap();
        let line =
            r#"voight_http_requests_total{route="/api/v1/users/eoa",method="GET",status="200"} 1"#;
        assert!(text.contains(line), "{text}");
        assert!(
            text.contains(r#"voight_lookups_total{outcome="recorded"} 1"#),
            "{text}"
        );
        assert!(
            text.contains(r#"voight_lookups_total{outcome="failed"} 0"#),
            "{text}"
        );
        assert!(
            text.contains(r#"voight_receipt_redemptions_total{outcome="used"} 1"#),
            "{text}"
        );
        assert!(
            text.contains(r#"voight_rule_hits_total{rule="webdriver",counted="true"} 3"#),
            "{text}"
        );
        assert!(
            text.contains("voight_http_request_duration_seconds_bucket"),
            "{text}"
        );
    }
}
