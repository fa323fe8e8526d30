//! Table of the panels.

/// Row of panels.
pub(super) struct Row {
    pub(super) title: &'static str,
    pub(super) panels: &'static [Panel],
}

/// Panel.
pub(super) struct Panel {
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) style: Style,
    /// Unit of Grafana.
    pub(super) unit: &'static str,
    /// Expressions of Prometheus, each with its legend.
    pub(super) queries: &'static [(&'static str, &'static str)],
}

/// Style of a panel.
#[derive(Clone, Copy)]
pub(super) enum Style {
    /// Lines over time.
    Graph,
    /// The last number.
    Number,
}

/// Declares the rows.
macro_rules! rows {
    ($($row:literal {
        $($style:ident $title:literal in $unit:literal $description:literal { $($expression:literal => $legend:literal)+ })+
    })+) => {
        [$(Row {
            title: $row,
            panels: &[$(Panel {
                title: $title,
                description: $description,
                style: Style::$style,
                unit: $unit,
                queries: &[$(($expression, $legend)),+],
            }),+],
        }),+]
    };
}

pub(super) const ROWS: [Row; 6] = rows! {
    "Traffic" {
        Number "Version" in "short" "Number of processes of each version." {
            r#"count by (version) (voight_build_info{instance=~"$instance"})"# => "{{version}}"
        }
        Number "Store ready" in "short" "Processes whose store is ready." {
            r#"sum(voight_store_health{instance=~"$instance",state="ready"})"# => "ready"
        }
        Number "Lookups" in "reqps" "Recorded lookups a second." {
            r#"sum(rate(voight_lookups_total{instance=~"$instance",outcome="recorded"}[$__rate_interval]))"# => "recorded"
        }
        Number "Server errors" in "percentunit" "Share of the requests that were answered with 5xx." {
            r#"sum(rate(voight_http_requests_total{instance=~"$instance",status=~"5.."}[$__rate_interval])) / sum(rate(voight_http_requests_total{instance=~"$instance"}[$__rate_interval])) or vector(0)"# => "5xx"
        }
        Number "Keys that expire" in "short" "API keys that expire within seven days." {
            r#"max(voight_keys_expiring{instance=~"$instance"})"# => "keys"
        }
        Number "Uptime" in "s" "Time since the last start of a process." {
            r#"min(time() - process_start_time_seconds{instance=~"$instance"})"# => "uptime"
        }
        Graph "Requests" in "reqps" "Requests a second by route." {
            r#"sum by (route) (rate(voight_http_requests_total{instance=~"$instance"}[$__rate_interval]))"# => "{{route}}"
        }
        Graph "Responses" in "reqps" "Requests a second by status." {
            r#"sum by (status) (rate(voight_http_requests_total{instance=~"$instance"}[$__rate_interval]))"# => "{{status}}"
        }
        Graph "Rejections" in "reqps" "Rejected requests, connections and checks a second, by the ten most frequent reasons." {
            r#"topk(10, sum by (reason) (rate(voight_requests_rejected_total{instance=~"$instance"}[$__rate_interval])))"# => "{{reason}}"
        }
    }
    "Lookups" {
        Graph "Outcomes" in "reqps" "Lookups a second by outcome." {
            r#"sum by (outcome) (rate(voight_lookups_total{instance=~"$instance"}[$__rate_interval]))"# => "{{outcome}}"
        }
        Graph "Latency" in "s" "Time from the head of a request for a lookup to the head of its response." {
            r#"histogram_quantile(0.5, sum by (le) (rate(voight_http_request_duration_seconds_bucket{instance=~"$instance",route="/api/v1/users/eoa"}[$__rate_interval])))"# => "p50"
            r#"histogram_quantile(0.95, sum by (le) (rate(voight_http_request_duration_seconds_bucket{instance=~"$instance",route="/api/v1/users/eoa"}[$__rate_interval])))"# => "p95"
            r#"histogram_quantile(0.99, sum by (le) (rate(voight_http_request_duration_seconds_bucket{instance=~"$instance",route="/api/v1/users/eoa"}[$__rate_interval])))"# => "p99"
        }
        Graph "Rate limiters" in "short" "Entries of the rate limiters." {
            r#"sum by (limiter) (voight_limiter_entries{instance=~"$instance"})"# => "{{limiter}}"
        }
    }
    "Checks and verdicts" {
        Graph "Steps" in "ops" "Accepted steps of checks a second: the funnel of the window." {
            r#"sum by (step) (rate(voight_checks_total{instance=~"$instance",outcome="accepted"}[$__rate_interval]))"# => "{{step}}"
        }
        Graph "Steps that fail" in "ops" "Steps of checks a second that were not accepted." {
            r#"sum by (step, outcome) (rate(voight_checks_total{instance=~"$instance",outcome!="accepted"}[$__rate_interval]))"# => "{{step}} {{outcome}}"
        }
        Graph "Verdicts" in "ops" "Verdicts after checks a second." {
            r#"sum by (outcome, layer) (rate(voight_verdicts_total{instance=~"$instance"}[$__rate_interval]))"# => "{{outcome}} {{layer}}"
        }
        Graph "Rule hits" in "ops" "Hits of rules a second, and whether the hit had weight." {
            r#"sum by (rule, counted) (rate(voight_rule_hits_total{instance=~"$instance"}[$__rate_interval]))"# => "{{rule}} {{counted}}"
        }
        Graph "Receipts" in "ops" "Redemptions a second by outcome." {
            r#"sum by (outcome) (rate(voight_receipt_redemptions_total{instance=~"$instance"}[$__rate_interval]))"# => "{{outcome}}"
        }
        Graph "Evidence" in "bytes" "Size of the stored evidence." {
            r#"voight_evidence_bytes{instance=~"$instance"}"# => "{{instance}}"
        }
    }
    "Webhooks" {
        Graph "Deliveries" in "ops" "Attempts to deliver events to webhook endpoints a second by outcome." {
            r#"sum by (outcome) (rate(voight_deliveries_total{instance=~"$instance"}[$__rate_interval]))"# => "{{outcome}}"
        }
        Graph "Delivery lag" in "s" "Time from an event to its delivery." {
            r#"histogram_quantile(0.5, sum by (le) (rate(voight_delivery_lag_seconds_bucket{instance=~"$instance"}[$__rate_interval])))"# => "p50"
            r#"histogram_quantile(0.99, sum by (le) (rate(voight_delivery_lag_seconds_bucket{instance=~"$instance"}[$__rate_interval])))"# => "p99"
        }
    }
    "Store and log" {
        Graph "Commit time" in "s" "Time to commit a group of writes to the database of the ledger." {
            r#"histogram_quantile(0.5, sum by (le) (rate(voight_ledger_commit_duration_seconds_bucket{instance=~"$instance"}[$__rate_interval])))"# => "p50"
            r#"histogram_quantile(0.99, sum by (le) (rate(voight_ledger_commit_duration_seconds_bucket{instance=~"$instance"}[$__rate_interval])))"# => "p99"
        }
        Graph "Group size" in "short" "Mean number of writes in a commit." {
            r#"sum(rate(voight_ledger_group_size_sum{instance=~"$instance"}[$__rate_interval])) / sum(rate(voight_ledger_group_size_count{instance=~"$instance"}[$__rate_interval]))"# => "writes"
        }
        Graph "Queue" in "short" "Writes that wait for the writer thread. A queue with 4,096 writes rejects further ones." {
            r#"voight_writer_queue_depth{instance=~"$instance"}"# => "{{instance}} {{database}}"
        }
        Graph "Log" in "bytes" "Bytes of the write-ahead log that no checkpoint has freed, of 16 MiB." {
            r#"voight_log_bytes{instance=~"$instance"}"# => "{{instance}} {{database}}"
        }
        Graph "Checkpoint lag" in "s" "Age of the oldest change that is only in the write-ahead log." {
            r#"voight_log_fold_lag_seconds{instance=~"$instance"}"# => "{{instance}} {{database}}"
        }
        Graph "Free space" in "bytes" "Free space on the file system of the store." {
            r#"voight_store_disk_free_bytes{instance=~"$instance"}"# => "{{instance}}"
        }
        Graph "Backup age" in "s" "Time since the newest backup was complete." {
            r#"min(voight_backup_age_seconds{instance=~"$instance"})"# => "age"
        }
        Graph "Scrubber" in "short" "Records that the scrubber has verified in its current pass, and in the last one." {
            r#"voight_store_scrub_pass_records{instance=~"$instance"}"# => "{{instance}} current"
            r#"voight_store_scrub_last_pass_records{instance=~"$instance"}"# => "{{instance}} last"
        }
        Graph "Scrub rate" in "ops" "Records that the scrubber verifies a second." {
            r#"sum by (instance) (rate(voight_store_scrub_records_total{instance=~"$instance"}[$__rate_interval]))"# => "{{instance}}"
        }
        Graph "Scrub passes" in "short" "Completed passes and corrupt records since the start, and days since the last pass." {
            r#"voight_store_scrub_passes_total{instance=~"$instance"}"# => "{{instance}} passes"
            r#"voight_store_scrub_corrupt_records_total{instance=~"$instance"}"# => "{{instance}} corrupt records"
            r#"(time() - voight_store_scrub_last_pass_timestamp_seconds{instance=~"$instance"}) / 86400 < 36500 or 0 * voight_store_scrub_passes_total{instance=~"$instance"}"# => "{{instance}} days"
        }
    }
    "Process" {
        Graph "CPU" in "short" "Cores in use." {
            r#"rate(process_cpu_seconds_total{instance=~"$instance"}[$__rate_interval])"# => "{{instance}}"
        }
        Graph "Memory" in "bytes" "Resident and virtual memory." {
            r#"process_resident_memory_bytes{instance=~"$instance"}"# => "{{instance}} resident"
            r#"process_virtual_memory_bytes{instance=~"$instance"}"# => "{{instance}} virtual"
        }
        Graph "Files and threads" in "short" "Open file descriptors, their limit, and threads." {
            r#"process_open_fds{instance=~"$instance"}"# => "{{instance}} open"
            r#"process_max_fds{instance=~"$instance"}"# => "{{instance}} limit"
            r#"process_threads{instance=~"$instance"}"# => "{{instance}} threads"
        }
    }
};
