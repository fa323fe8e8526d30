//! Table of metrics: registers each, and documents it for the reference page.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};
use std::sync::atomic::AtomicU64;

use super::buckets::{BUCKETS, LAG_BUCKETS};
use super::label_sets::{
    CheckLabels, DatabaseLabels, LimiterLabels, NoLabels, OutcomeLabels, ReasonLabels,
    RequestLabels, RouteLabels, RuleLabels, StateLabels, VerdictLabels, VersionLabels,
};
#[cfg(test)]
use super::labels::{
    CheckLayer, CheckOutcome, CheckStep, DatabaseName, DeliveryOutcome, LimiterName, LookupLabel,
    RedemptionLabel, RejectionReason, StoreState, VerdictStatus,
};
use super::snapshot_histogram::SnapshotHistogram;
#[cfg(test)]
use super::spec::{AlertSpec, LabelSpec, MetricSpec};

/// Gauge of a number that no part of the service changes between two scrapes; absent until it is set.
pub(super) type OptionalGauge<N> = Family<NoLabels, Gauge<N, AtomicU64>>;

/// Declares the metrics. The name has the unit (`_seconds`, `_bytes`) and, for a counter, `_total` at its end.
macro_rules! metrics {
    ($(
        $field:ident: $type:ty = $new:expr;
        $kind:ident $name:literal in $unit:literal { $($label:literal: $values:expr),* }
        help $help:literal
        $(note $note:literal)?
        alerts {$(
            $alert:ident = $severity:ident for $hold:literal $expression:literal
                $summary:literal;
        )*}
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
                note: [$($note,)? ""][0],
                alerts: vec![$(AlertSpec {
                    name: stringify!($alert),
                    severity: stringify!($severity),
                    hold: $hold,
                    expression: $expression,
                    summary: $summary,
                }),*],
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
    alerts {
        ServerErrors = critical for "5m" r#"sum(rate(voight_http_requests_total{status=~"5.."}[5m])) / sum(rate(voight_http_requests_total[5m])) > 0.01"#
            "More than 1 % of the requests are answered with 5xx";
    }

    durations: Family<RouteLabels, Histogram> = Family::new_with_constructor(|| Histogram::new(BUCKETS));
    histogram "voight_http_request_duration_seconds" in "seconds" { "route": "route template, or `unmatched`" }
    help "Time from receiving a request head to sending the response head"
    alerts {
        SlowLookups = warning for "10m" r#"histogram_quantile(0.99, sum by (le) (rate(voight_http_request_duration_seconds_bucket{route="/api/v1/users/eoa"}[10m]))) > 0.1"#
            "One of a hundred lookups takes longer than 100 ms";
    }

    lookups: Family<OutcomeLabels, Counter> = Family::default();
    counter "voight_lookups_total" in "lookups" { "outcome": LookupLabel::all() }
    help "Authenticated lookups by outcome"
    alerts {
        LookupsFail = critical for "1m" r#"sum(increase(voight_lookups_total{outcome="failed"}[5m])) > 0"#
            "Lookups fail because the store does not record them";
    }

    redemptions: Family<OutcomeLabels, Counter> = Family::default();
    counter "voight_receipt_redemptions_total" in "receipts" { "outcome": RedemptionLabel::all() }
    help "Redeemed and rejected receipts by outcome"
    alerts {
        RedemptionsFail = critical for "1m" r#"sum(increase(voight_receipt_redemptions_total{outcome="failed"}[5m])) > 0"#
            "Receipts cannot be redeemed because the store does not record them";
        ForgedReceipts = warning for "5m" r#"sum(increase(voight_receipt_redemptions_total{outcome="forged"}[15m])) > 20"#
            "Callers present receipts that are not authentic";
    }

    rejections: Family<ReasonLabels, Counter> = Family::default();
    counter "voight_requests_rejected_total" in "requests" { "reason": RejectionReason::all() }
    help "Rejected requests, connections and checks by reason"
    alerts {
        Overload = warning for "5m" r#"sum(rate(voight_requests_rejected_total{reason="load_shed"}[5m])) > 0"#
            "Requests are rejected because no permit is free";
        ClockRejected = critical for "1m" r#"sum(increase(voight_requests_rejected_total{reason="clock_rejected"}[5m])) > 0"#
            "The clock guard rejects the system clock, so that nothing is answered";
        KeyInBrowser = warning for "0m" r#"sum(increase(voight_requests_rejected_total{reason="key_in_browser"}[15m])) > 0"#
            "A browser sent a secret API key, so that every visitor of the page can read it";
        AdminTokenGuessing = warning for "5m" r#"sum(increase(voight_requests_rejected_total{reason=~"invalid_admin_token.*"}[15m])) > 20"#
            "A caller sends wrong admin tokens";
    }

    checks: Family<CheckLabels, Counter> = Family::default();
    counter "voight_checks_total" in "steps" { "step": CheckStep::all(), "outcome": CheckOutcome::all() }
    help "Steps of checks by outcome"
    alerts {
        ChecksFail = critical for "1m" r#"sum(increase(voight_checks_total{outcome="failed"}[5m])) > 0"#
            "Steps of checks fail because of the service";
    }

    verdicts: Family<VerdictLabels, Counter> = Family::default();
    counter "voight_verdicts_total" in "verdicts" { "outcome": VerdictStatus::all(), "layer": CheckLayer::all() }
    help "Verdicts after checks by the status of the address and the layer of the check, without sandbox checks"
    alerts {
        FlaggedShare = warning for "15m" r#"sum(increase(voight_verdicts_total{outcome="bot"}[1h])) / sum(increase(voight_verdicts_total[1h])) > 0.5 and sum(increase(voight_verdicts_total[1h])) > 100"#
            "More than half of the checks of the last hour led to the verdict bot";
    }

    rules: Family<RuleLabels, Counter> = Family::default();
    counter "voight_rule_hits_total" in "hits" {
        "rule": "id of a [rule](rules.md), or `other` above 256 of them",
        "counted": "`true`, or `false` for a shadow rule and for a rule beside one with a larger weight in its cause group"
    }
    help "Hits of rules in evaluated checks, and whether the hit had weight"
    note "After a change of the policy, compare the rates of the rules with those before it."
    alerts {}

    scrub_records: Counter = Counter::default();
    counter "voight_store_scrub_records_total" in "records" {}
    help "Records that the scrubber has verified"
    alerts {
        ScrubStalled = warning for "30m" "increase(voight_store_scrub_records_total[1h]) == 0 and voight_store_scrub_records_total > 0"
            "The scrubber has verified no record for an hour";
    }

    scrub_passes: Counter = Counter::default();
    counter "voight_store_scrub_passes_total" in "passes" {}
    help "Completed passes of the scrubber"
    alerts {}

    scrub_corrupt_records: Counter = Counter::default();
    counter "voight_store_scrub_corrupt_records_total" in "records" {}
    help "Corrupt records that the scrubber has found"
    alerts {
        CorruptRecords = critical for "0m" "voight_store_scrub_corrupt_records_total > 0"
            "The scrubber has found corrupt records, and the service stops";
    }

    scrub_pass_records: Gauge = Gauge::default();
    gauge "voight_store_scrub_pass_records" in "records" {}
    help "Records that the scrubber has verified in the current pass"
    alerts {}

    scrub_last_pass_records: Gauge = Gauge::default();
    gauge "voight_store_scrub_last_pass_records" in "records" {}
    help "Records that the last completed pass of the scrubber verified; 0 before the first"
    alerts {}

    scrub_last_pass_at: Gauge = Gauge::default();
    gauge "voight_store_scrub_last_pass_timestamp_seconds" in "seconds since 1970-01-01 UTC" {}
    help "Time at which the last pass of the scrubber was completed; 0 before the first"
    alerts {
        ScrubPassOld = warning for "1h" "voight_store_scrub_last_pass_timestamp_seconds > 0 and time() - voight_store_scrub_last_pass_timestamp_seconds > 1209600"
            "The last complete pass of the scrubber is older than two weeks";
    }

    store_health: Family<StateLabels, Gauge> = Family::default();
    gauge "voight_store_health" in "1 or 0" { "state": StoreState::all() }
    help "1 for the current state of the store, 0 for the others"
    alerts {
        StoreNotReady = critical for "1m" r#"voight_store_health{state="ready"} == 0"#
            "The store is not ready";
    }

    disk_free: Family<NoLabels, Gauge> = Family::default();
    gauge "voight_store_disk_free_bytes" in "bytes" {}
    help "Free space on the file system of the store; absent for a store without a disk of its own"
    alerts {
        DiskFull = critical for "30m" "predict_linear(voight_store_disk_free_bytes[6h], 86400) < 0"
            "At the rate of the last six hours the disk will be full within a day";
    }

    evidence_bytes: OptionalGauge<u64> = Family::default();
    gauge "voight_evidence_bytes" in "bytes" {}
    help "Size of the stored evidence; absent for a store in memory or on PostgreSQL"
    alerts {}

    commit_durations: SnapshotHistogram = SnapshotHistogram::new(1e6);
    histogram "voight_ledger_commit_duration_seconds" in "seconds" {}
    help "Time of the commit of a group of writes to the database of the ledger; absent for a store in memory"
    alerts {
        SlowCommits = warning for "10m" "histogram_quantile(0.99, sum by (le) (rate(voight_ledger_commit_duration_seconds_bucket[10m]))) > 0.25"
            "One of a hundred commits to the ledger takes longer than 250 ms";
    }

    group_sizes: SnapshotHistogram = SnapshotHistogram::new(1.0);
    histogram "voight_ledger_group_size" in "writes" {}
    help "Writes that were committed as one group to the database of the ledger; absent for a store in memory"
    alerts {}

    queue_depth: Family<DatabaseLabels, Gauge<u64, AtomicU64>> = Family::default();
    gauge "voight_writer_queue_depth" in "writes" { "database": DatabaseName::all() }
    help "Writes in the queue of the writer thread; absent for a store in memory or on PostgreSQL"
    alerts {
        WriterQueue = warning for "5m" r#"voight_writer_queue_depth{database="main"} > 2048"#
            "Half of the queue of the writer thread is in use";
    }

    log_bytes: Family<DatabaseLabels, Gauge<u64, AtomicU64>> = Family::default();
    gauge "voight_log_bytes" in "bytes" { "database": DatabaseName::all() }
    help "Bytes of the write-ahead log, of 16 MiB, that no checkpoint has freed; absent for a store without one"
    alerts {
        LogFull = warning for "5m" "voight_log_bytes > 12582912"
            "Three quarters of the write-ahead log wait for a checkpoint";
    }

    log_fold_lag: Family<DatabaseLabels, Gauge<f64, AtomicU64>> = Family::default();
    gauge "voight_log_fold_lag_seconds" in "seconds" { "database": DatabaseName::all() }
    help "Age of the oldest change that is only in the write-ahead log; absent for a store without one"
    alerts {
        CheckpointLag = warning for "5m" "voight_log_fold_lag_seconds > 60"
            "A change has been only in the write-ahead log for more than a minute";
    }

    limiter_entries: Family<LimiterLabels, Gauge<u64, AtomicU64>> = Family::default();
    gauge "voight_limiter_entries" in "entries" { "limiter": LimiterName::all() }
    help "Entries of the rate limiters, one for each counted caller; old ones are removed from 100,000 entries on"
    alerts {}

    backup_age: OptionalGauge<f64> = Family::default();
    gauge "voight_backup_age_seconds" in "seconds" {}
    help "Age of the newest backup that the service has sent to its end; absent until one is known"
    note "The audit log records the backup, so that the age survives a restart; other nodes of the store know it after a minute. A copy of the database or of its files made by other tools is unknown."
    alerts {
        BackupOld = warning for "1h" "voight_backup_age_seconds > 172800"
            "The newest backup is older than two days";
    }

    expiring_keys: OptionalGauge<u64> = Family::default();
    gauge "voight_keys_expiring" in "keys" {}
    help "API keys that expire within seven days, counted once an hour"
    alerts {
        KeysExpiring = warning for "1h" "voight_keys_expiring > 0"
            "API keys expire within seven days";
    }

    deliveries: Family<OutcomeLabels, Counter> = Family::default();
    counter "voight_deliveries_total" in "attempts" { "outcome": DeliveryOutcome::all() }
    help "Attempts to deliver events to webhook endpoints by outcome"
    alerts {
        DeliveriesGivenUp = warning for "0m" r#"sum(increase(voight_deliveries_total{outcome="given_up"}[1h])) > 0"#
            "Events were given up: a webhook endpoint has not received them";
    }

    delivery_lag: Histogram = Histogram::new(LAG_BUCKETS);
    histogram "voight_delivery_lag_seconds" in "seconds" {}
    help "Time from an event to its delivery to a webhook endpoint"
    alerts {
        DeliveryLag = warning for "15m" "histogram_quantile(0.5, sum by (le) (rate(voight_delivery_lag_seconds_bucket[15m]))) > 60"
            "Half of the events reach their webhook endpoints more than a minute late";
    }

    build: Family<VersionLabels, Gauge> = Family::default();
    gauge "voight_build_info" in "1" { "version": "version of the binary" }
    help "1, with the version of the binary"
    alerts {
        ServiceDown = critical for "5m" "absent(voight_build_info)"
            "No process of the service is scraped";
    }

    process_cpu: Family<NoLabels, Counter<f64, AtomicU64>> = Family::default();
    counter "process_cpu_seconds_total" in "seconds" {}
    help "CPU time of the process, in user and in system mode"
    alerts {}

    process_start_time: OptionalGauge<f64> = Family::default();
    gauge "process_start_time_seconds" in "seconds since 1970-01-01 UTC" {}
    help "Time at which the process started"
    alerts {
        Restarts = warning for "0m" r#"changes(process_start_time_seconds{job=~".*voight.*"}[30m]) > 1"#
            "The service has started more than once within half an hour";
    }

    process_threads: OptionalGauge<u64> = Family::default();
    gauge "process_threads" in "threads" {}
    help "Threads of the process"
    alerts {}

    process_virtual_memory: OptionalGauge<u64> = Family::default();
    gauge "process_virtual_memory_bytes" in "bytes" {}
    help "Virtual memory of the process"
    alerts {}

    process_resident_memory: OptionalGauge<u64> = Family::default();
    gauge "process_resident_memory_bytes" in "bytes" {}
    help "Resident memory of the process"
    alerts {}

    process_open_fds: OptionalGauge<u64> = Family::default();
    gauge "process_open_fds" in "files" {}
    help "Open file descriptors of the process"
    alerts {
        FileDescriptors = warning for "10m" r#"process_open_fds{job=~".*voight.*"} / process_max_fds{job=~".*voight.*"} > 0.9"#
            "More than 90 % of the file descriptors are open";
    }

    process_max_fds: OptionalGauge<u64> = Family::default();
    gauge "process_max_fds" in "files" {}
    help "Limit of the open file descriptors of the process"
    alerts {}
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
