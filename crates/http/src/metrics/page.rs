//! Reference page of the metrics, from their table.

use super::spec::{AlertSpec, LabelSpec, LabelValues, MetricSpec, REMEDY};
use super::table::specs;
use std::fmt::Write as _;
use voight_support::assert_committed;

const HEAD: &str = "\
# Metrics

`GET /metrics` on the admin listener returns all metrics. It needs no token. The format is the classic text format of
Prometheus, version 0.0.4; a scraper whose header `Accept` prefers `application/openmetrics-text` receives OpenMetrics 1.0.0. A
scrape configuration for Prometheus:

```yaml
scrape_configs:
  - job_name: voight
    static_configs:
      - targets: [\"127.0.0.1:8081\"]
```

Counters begin at 0 when the process starts. Each process of a cluster counts its own requests; sum over `instance`. No label
contains a client, key, context, address or network.

[`examples/deploy`](../../examples/deploy/README.md#prometheus-and-grafana) has the alerts below as rules of Prometheus, and a dashboard
for Grafana. This page, the rules and the dashboard are generated from the code that registers the metrics (`cargo xtask metrics`).

| metric | type | unit | labels | meaning | alerts |
|---|---|---|---|---|---|
";

impl MetricSpec {
    fn row(&self) -> String {
        let labels: Vec<_> = self
            .labels
            .iter()
            .map(|label| label.cell(self.name))
            .collect();
        let labels = if labels.is_empty() {
            "none".to_owned()
        } else {
            labels.join("; ")
        };
        let Self {
            name,
            kind,
            unit,
            help,
            ..
        } = self;
        let alerts = self.alert_cell();
        format!("| `{name}` | {kind} | {unit} | {labels} | {help}. | {alerts} |\n")
    }

    fn alert_cell(&self) -> String {
        let link = |alert: &AlertSpec| {
            let AlertSpec {
                severity,
                hold,
                expression,
                summary,
                ..
            } = alert;
            let name = alert.full_name();
            let runbook = alert.runbook();
            let hold = if *hold == "0m" {
                "at once".to_owned()
            } else {
                format!("for {hold}")
            };
            format!(
                "[{name}](../guides/runbooks/{runbook}.md) ({severity}): {summary}. `{expression}` {hold}."
            )
        };
        let mut sentences: Vec<_> = self.alerts.iter().map(link).collect();
        if sentences.is_empty() {
            sentences.push("None.".to_owned());
        }
        if !self.note.is_empty() {
            sentences.push(self.note.to_owned());
        }
        sentences.join(" ")
    }
}

impl LabelSpec {
    fn cell(&self, metric: &str) -> String {
        let name = self.name;
        match &self.values {
            LabelValues::Described(description) => format!("`{name}`: {description}"),
            LabelValues::Listed(_) => format!("`{name}`: [values](#{name}-of-{metric})"),
        }
    }

    fn section(&self, metric: &str) -> Option<String> {
        let LabelValues::Listed(values) = &self.values else {
            return None;
        };
        let name = self.name;
        let head = format!("\n### `{name}` of `{metric}`\n\n| value | meaning |\n|---|---|\n");
        let rows = values
            .iter()
            .map(|(value, meaning)| format!("| `{value}` | {meaning} |\n"));
        Some(head + &rows.collect::<String>())
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    let specs = specs();
    page.extend(specs.iter().map(MetricSpec::row));
    let _ = writeln!(page, "\n## Label values");
    for spec in &specs {
        page.extend(
            spec.labels
                .iter()
                .filter_map(|label| label.section(spec.name)),
        );
    }
    page
}

#[test]
fn the_committed_page_is_the_generated_one() {
    assert_committed("docs/reference/metrics.md", page(), REMEDY);
}

#[test]
fn names_follow_the_rules_of_prometheus() {
    for MetricSpec {
        name, kind, unit, ..
    } in specs()
    {
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
        assert!(
            (name.starts_with("voight_") || name.starts_with("process_"))
                && name.split('_').all(is_word),
            "{name}"
        );
        assert_eq!(kind == "counter", name.ends_with("_total"), "{name}");
        assert_eq!(
            unit.starts_with("seconds"),
            name.trim_end_matches("_total").ends_with("_seconds"),
            "{name}"
        );
        assert_eq!(
            unit == "bytes",
            name.trim_end_matches("_total").ends_with("_bytes"),
            "{name}"
        );
    }
}
