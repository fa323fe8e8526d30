//! Table of metrics: registers each, and documents it for the reference page.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};
use std::sync::atomic::AtomicU64;

#[cfg(test)]
use super::labels::{LookupLabel, RedemptionLabel, RejectionReason, StoreState};
#[cfg(test)]
use super::page::{LabelSpec, MetricSpec};

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 12] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RequestLabels {
    pub(super) route: String,
    pub(super) method: &'static str,
    pub(super) status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RouteLabels {
    pub(super) route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OutcomeLabels {
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ReasonLabels {
    pub(super) reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RuleLabels {
    pub(super) rule: String,
    pub(super) counted: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct StateLabels {
    pub(super) state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct VersionLabels {
    pub(super) version: &'static str,
}

/// Labels of a gauge that is absent until it is set.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct NoLabels {}

/// Gauge of a number that no part of the service changes between two scrapes; absent until it is set.
pub(super) type OptionalGauge<N> = Family<NoLabels, Gauge<N, AtomicU64>>;

/// Declares the metrics. The name has the unit (`_seconds`, `_bytes`) and, for a counter, `_total` at its end.
macro_rules! metrics {
    ($(
        $field:ident: $type:ty = $new:expr;
        $kind:ident $name:literal in $unit:literal { $($label:literal: $values:expr),* }
        help $help:literal
        alert $alert:literal
    )*) => {
        /// The registered metrics.
        pub(super) struct Metrics {
            $(#[doc = $help] pub(super) $field: $type,)*
        }

        impl Metrics {
            /// Creates the metrics and registers each.
            pub(super) fn registered() -> (Self, Registry) {
                let metrics = Self { $($field: $new,)* };
                let mut registry = Registry::default();
                $(register(&mut registry, $name, $help, metrics.$field.clone());)*
                (metrics, registry)
            }
        }

        /// Returns the rows of the reference page.
        #[cfg(test)]
        pub(super) fn specs() -> Vec<MetricSpec> {
            vec![$(MetricSpec {
                name: $name,
                kind: stringify!($kind),
                unit: $unit,
                labels: vec![$(LabelSpec { name: $label, values: $values.into() }),*],
                help: $help,
                alert: $alert,
            },)*]
        }
    };
}

metrics! {
    requests: Family<RequestLabels, Counter> = Family::default();
    counter "voight_http_requests_total" in "requests" {
        "route": "route template, or `unmatched`",
        "method": "`GET`, `POST`, `PATCH`, `HEAD`, `OPTIONS`, `PUT`, `DELETE`, `other`",
        "status": "HTTP status code"
    }
    help "Answered HTTP requests by route template, method and status"
    alert "The share of 5xx exceeds 1 % for 5 minutes: `sum(rate(voight_http_requests_total{status=~\"5..\"}[5m])) / sum(rate(voight_http_requests_total[5m])) > 0.01`."

    durations: Family<RouteLabels, Histogram> = Family::new_with_constructor(|| Histogram::new(BUCKETS));
    histogram "voight_http_request_duration_seconds" in "seconds" { "route": "route template, or `unmatched`" }
    help "Time from receiving a request head to sending the response head"
    alert "p99 of lookups exceeds 100 ms for 10 minutes: `histogram_quantile(0.99, sum by (le) (rate(voight_http_request_duration_seconds_bucket{route=\"/api/v1/users/eoa\"}[10m]))) > 0.1`."

    lookups: Family<OutcomeLabels, Counter> = Family::default();
    counter "voight_lookups_total" in "lookups" { "outcome": LookupLabel::all() }
    help "Authenticated lookups by outcome"
    alert "Lookups fail: `increase(voight_lookups_total{outcome=\"failed\"}[5m]) > 0`."

    redemptions: Family<OutcomeLabels, Counter> = Family::default();
    counter "voight_receipt_redemptions_total" in "receipts" { "outcome": RedemptionLabel::all() }
    help "Redeemed and rejected receipts by outcome"
    alert "Redemptions fail: `increase(voight_receipt_redemptions_total{outcome=\"failed\"}[5m]) > 0`. A rise of `forged` means that receipts are made up."

    rejections: Family<ReasonLabels, Counter> = Family::default();
    counter "voight_requests_rejected_total" in "requests" { "reason": RejectionReason::all() }
    help "Rejected requests, connections and checks by reason"
    alert "Overload: `rate(voight_requests_rejected_total{reason=\"load_shed\"}[5m]) > 0` for 5 minutes. Clock: any `clock_rejected`. Security: any `key_in_browser`, and more `invalid_admin_token` than typing errors explain."

    rules: Family<RuleLabels, Counter> = Family::default();
    counter "voight_rule_hits_total" in "hits" {
        "rule": "id of a [rule](rules.md)",
        "counted": "`true`, or `false` for a shadow rule and for a rule beside one with a larger weight in its cause group"
    }
    help "Hits of rules in evaluated checks, and whether the hit had weight"
    alert "None. After a change of the policy, compare the rates of the rules with those before it."

    scrub_records: Counter = Counter::default();
    counter "voight_store_scrub_records_total" in "records" {}
    help "Records that the scrubber has verified"
    alert "The scrubber is enabled and verifies nothing: `increase(voight_store_scrub_records_total[1h]) == 0`."

    scrub_passes: Counter = Counter::default();
    counter "voight_store_scrub_passes_total" in "passes" {}
    help "Completed passes of the scrubber"
    alert "None; see `voight_store_scrub_last_pass_timestamp_seconds`."

    scrub_corrupt_records: Counter = Counter::default();
    counter "voight_store_scrub_corrupt_records_total" in "records" {}
    help "Corrupt records that the scrubber has found"
    alert "Any: `voight_store_scrub_corrupt_records_total > 0`. The service stops; restore the last [backup](../guides/back-up-and-restore.md)."

    scrub_pass_records: Gauge = Gauge::default();
    gauge "voight_store_scrub_pass_records" in "records" {}
    help "Records that the scrubber has verified in the current pass"
    alert "None."

    scrub_last_pass_records: Gauge = Gauge::default();
    gauge "voight_store_scrub_last_pass_records" in "records" {}
    help "Records that the last completed pass of the scrubber verified; 0 before the first"
    alert "None."

    scrub_last_pass_at: Gauge = Gauge::default();
    gauge "voight_store_scrub_last_pass_timestamp_seconds" in "seconds since 1970-01-01 UTC" {}
    help "Time at which the last pass of the scrubber was completed; 0 before the first"
    alert "The last pass is older than twice the usual duration of a pass, for example two weeks: `time() - voight_store_scrub_last_pass_timestamp_seconds > 1209600`."

    store_health: Family<StateLabels, Gauge> = Family::default();
    gauge "voight_store_health" in "1 or 0" { "state": StoreState::all() }
    help "1 for the current state of the store, 0 for the others"
    alert "The store is not ready for 1 minute: `voight_store_health{state=\"ready\"} == 0`. See [disk errors](../guides/recover-from-disk-errors.md)."

    disk_free: Family<NoLabels, Gauge> = Family::default();
    gauge "voight_store_disk_free_bytes" in "bytes" {}
    help "Free space on the file system of the store; absent for a store without a disk of its own"
    alert "The disk will be full within a day: `predict_linear(voight_store_disk_free_bytes[6h], 86400) < 0`."

    build: Family<VersionLabels, Gauge> = Family::default();
    gauge "voight_build_info" in "1" { "version": "version of the binary" }
    help "1, with the version of the binary"
    alert "None."

    process_cpu: Family<NoLabels, Counter<f64, AtomicU64>> = Family::default();
    counter "process_cpu_seconds_total" in "seconds" {}
    help "CPU time of the process, in user and in system mode"
    alert "None."

    process_start_time: OptionalGauge<f64> = Family::default();
    gauge "process_start_time_seconds" in "seconds since 1970-01-01 UTC" {}
    help "Time at which the process started"
    alert "The service has restarted: `changes(process_start_time_seconds[10m]) > 0`."

    process_threads: OptionalGauge<u64> = Family::default();
    gauge "process_threads" in "threads" {}
    help "Threads of the process"
    alert "None."

    process_virtual_memory: OptionalGauge<u64> = Family::default();
    gauge "process_virtual_memory_bytes" in "bytes" {}
    help "Virtual memory of the process"
    alert "None."

    process_resident_memory: OptionalGauge<u64> = Family::default();
    gauge "process_resident_memory_bytes" in "bytes" {}
    help "Resident memory of the process"
    alert "None."

    process_open_fds: OptionalGauge<u64> = Family::default();
    gauge "process_open_fds" in "files" {}
    help "Open file descriptors of the process"
    alert "More than 90 % of the file descriptors are open for 10 minutes: `process_open_fds / process_max_fds > 0.9`."

    process_max_fds: OptionalGauge<u64> = Family::default();
    gauge "process_max_fds" in "files" {}
    help "Limit of the open file descriptors of the process"
    alert "None."
}

/// Registers a metric by its full name: the registry appends the unit, and `_total` to a counter.
fn register(registry: &mut Registry, name: &str, help: &str, metric: impl Metric) {
    let name = name.strip_suffix("_total").unwrap_or(name);
    let with_unit = [("_seconds", Unit::Seconds), ("_bytes", Unit::Bytes)]
        .into_iter()
        .find_map(|(suffix, unit)| name.strip_suffix(suffix).map(|name| (name, unit)));
    match with_unit {
        Some((name, unit)) => registry.register_with_unit(name, help, unit, metric),
        None => registry.register(name, help, metric),
    }
}
