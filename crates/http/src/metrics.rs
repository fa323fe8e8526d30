//! Counters in the OpenMetrics text format. Labels are bounded: never a client, key, context, address or network.

mod store;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use store::StoreMetrics;
use voight_domain::ports::{Health, ScrubProgress, StoreStatus};
use voight_domain::services::RuleHit;

/// Upper ends of the buckets of durations, in seconds.
const BUCKETS: [f64; 12] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabels {
    reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RuleLabels {
    rule: String,
    counted: &'static str,
}

/// Everything that is counted.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram>,
    lookups: Family<OutcomeLabels, Counter>,
    receipts: Family<OutcomeLabels, Counter>,
    refusals: Family<ReasonLabels, Counter>,
    rules: Family<RuleLabels, Counter>,
    store: StoreMetrics,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("voight");
        let requests = Family::default();
        let durations = Family::<RouteLabels, Histogram>::new_with_constructor(|| Histogram::new(BUCKETS));
        let lookups = Family::default();
        let receipts = Family::default();
        let refusals = Family::default();
        registry.register("http_requests", "Requests answered, by route template", requests.clone());
        let help = "Time from a request's head to its answer's head";
        registry.register_with_unit("http_request_duration", help, Unit::Seconds, durations.clone());
        registry.register("lookups", "Lookups by what became of them", lookups.clone());
        registry.register("receipts", "Receipts to redeem by what became of them", receipts.clone());
        registry.register("refusals", "Requests that were not let in, by reason", refusals.clone());
        let rules = Family::default();
        let help = "Rules that fired, and whether they counted; a rule in shadow never does";
        registry.register("rule_fired", help, rules.clone());
        let store = StoreMetrics::default();
        store.register(&mut registry);
        Self { registry, requests, durations, lookups, receipts, refusals, rules, store }
    }
}

impl Metrics {
    /// Counts an answered request.
    pub fn record_request(&self, route: String, method: &'static str, status: u16, took: Duration) {
        let labels = RouteLabels { route };
        self.durations.get_or_create(&labels).observe(took.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { route: labels.route, method, status }).inc();
    }

    /// Counts what became of a lookup.
    pub fn lookup(&self, outcome: &'static str) {
        self.lookups.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Counts what became of a receipt that was to be redeemed.
    pub fn receipt(&self, outcome: &'static str) {
        self.receipts.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Counts a request that was not let in.
    pub fn record_rejection(&self, reason: &'static str) {
        self.refusals.get_or_create(&ReasonLabels { reason }).inc();
    }

    /// Counts rules that fired.
    pub fn record_rule_hits(&self, seen: BTreeMap<RuleHit, u64>) {
        for (RuleHit { rule, counted }, times) in seen {
            let counted = if counted { "true" } else { "false" };
            self.rules.get_or_create(&RuleLabels { rule, counted }).inc_by(times);
        }
    }

    /// Counts what the scrubber has done.
    pub fn record_scrub(&self, progress: &ScrubProgress) {
        self.store.scrubbed(progress);
    }

    /// Notes how the store is doing.
    pub fn set_store_status(&self, health: &Health, upkeep: &StoreStatus) {
        self.store.set_status(health, upkeep);
    }

    /// Everything as OpenMetrics text.
    pub fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_printed_by_route_template() {
        let metrics = Metrics::default();
        metrics.record_request("/api/v1/users/eoa".to_owned(), "GET", 200, Duration::from_millis(2));
        metrics.lookup("recorded");
        metrics.receipt("used");
        metrics.record_rule_hits(BTreeMap::from([(RuleHit { rule: "webdriver".into(), counted: true }, 3)]));
        let text = metrics.render().unwrap();
        let line = r#"voight_http_requests_total{route="/api/v1/users/eoa",method="GET",status="200"} 1"#;
        assert!(text.contains(line), "{text}");
        assert!(text.contains(r#"voight_lookups_total{outcome="recorded"} 1"#), "{text}");
        assert!(text.contains(r#"voight_receipts_total{outcome="used"} 1"#), "{text}");
        assert!(text.contains(r#"voight_rule_fired_total{rule="webdriver",counted="true"} 3"#), "{text}");
        assert!(text.contains("voight_http_request_duration_seconds_bucket"), "{text}");
    }
}
