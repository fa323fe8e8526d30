//! Metrics of a service agree with their reference page.

use crate::common::ADDRESS;
use crate::window::operator::{driven, metrics};
use actix_web::test::TestRequest;
use std::collections::{BTreeMap, BTreeSet};

/// Metric on the page or in a response: for each label its values, or `None` if the page does not list them.
type Series = BTreeMap<String, BTreeMap<String, Option<BTreeSet<String>>>>;

const PAGE: &str = include_str!("../../../../../docs/reference/metrics.md");

/// Beginnings of the names of metrics that a store in memory lacks, or that a background task sets.
const ABSENT: [&str; 7] = [
    "voight_store_disk_free_bytes",
    "voight_ledger_",
    "voight_writer_",
    "voight_log_",
    "voight_evidence_bytes",
    "voight_backup_age_seconds",
    "voight_keys_expiring",
];

/// Returns the metrics on the reference page.
fn documented() -> Series {
    let mut series = Series::new();
    let mut current = None;
    for line in PAGE.lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let code = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
        if let Some(heading) = line.strip_prefix("### ") {
            current = Some((code(heading), heading.split('`').nth(3).unwrap().to_owned()));
        } else if line.starts_with("| `voight_") || line.starts_with("| `process_") {
            let labels = cells[4]
                .split("; ")
                .map(code)
                .filter(|label| !label.is_empty());
            series.insert(code(cells[1]), labels.map(|label| (label, None)).collect());
        } else if line.starts_with("| `") {
            let (label, metric) = current.clone().unwrap();
            let values = series.get_mut(&metric).unwrap().get_mut(&label).unwrap();
            values.get_or_insert_default().insert(code(cells[1]));
        }
    }
    series
}

/// Returns the metrics in classic text. The series of a histogram have the name of their metric.
fn served(text: &str) -> Series {
    let types = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let histograms: Vec<_> = types
        .filter(|(_, kind)| *kind == "histogram")
        .map(|(name, _)| name)
        .collect();
    let mut series = Series::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split([' ', '{']).next().unwrap();
        let name = histograms
            .iter()
            .copied()
            .find(|metric| name.starts_with(metric))
            .unwrap_or(name);
        let labels = series.entry(name.to_owned()).or_default();
        let pairs = line
            .split_once('{')
            .map_or("", |(_, rest)| rest.rsplit_once('}').unwrap().0);
        for (label, value) in pairs
            .split(',')
            .filter_map(|pair| pair.split_once('='))
            .filter(|(label, _)| *label != "le")
        {
            let values = labels
                .entry(label.to_owned())
                .or_default()
                .get_or_insert_default();
            values.insert(value.trim_matches('"').to_owned());
        }
    }
    series
}

#[actix_web::test]
async fn metrics_match_their_documentation() {
    let service = driven().await;
    service
        .app
        .send(service.app.look_up(&service.context, ADDRESS))
        .await;
    service.app.send(TestRequest::get().uri("/none")).await;
    let text = metrics(&service).await;
    for (name, kind) in text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
    {
        assert!(
            PAGE.contains(&format!("\n| `{name}` | {kind} | ")),
            "{name} is a {kind}"
        );
    }
    let documented = documented();
    let mut served = served(&text);
    // The store in memory has no disk, and no background job runs; the test of the binary covers these metrics.
    for (metric, labels) in &documented {
        let is_absent = ABSENT.iter().any(|prefix| metric.starts_with(prefix));
        if is_absent {
            let former = served.insert(metric.clone(), labels.clone());
            assert!(former.is_none(), "{metric} is served");
        }
    }
    assert!(
        documented.len() > 10,
        "the page lists {} metrics",
        documented.len()
    );
    assert_eq!(
        documented.keys().collect::<Vec<_>>(),
        served.keys().collect::<Vec<_>>()
    );
    for (metric, labels) in &documented {
        assert_eq!(
            labels.keys().collect::<Vec<_>>(),
            served[metric].keys().collect::<Vec<_>>(),
            "{metric}"
        );
        for (label, values) in labels.iter().filter(|(_, values)| values.is_some()) {
            assert_eq!(values, &served[metric][label], "{label} of {metric}");
        }
    }
}
