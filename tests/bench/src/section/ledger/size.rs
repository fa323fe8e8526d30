//! Size of records on disk, and memory of the service.

use super::super::harness::LookupHarness;
use super::super::short_number::short;
use crate::machine::resident_mib;
use crate::report::Metric;
use anyhow::{Context, Result};
use serde_json::Value;

/// Tables of a ledger: the name in the JSON, the table name in the store, and the description.
const LEDGER: [(&str, &str, &str); 3] = [
    (
        "bytes_per_ledger_row",
        "ledger row",
        "bytes of a ledger row",
    ),
    ("bytes_per_opening", "opening", "bytes of an opening"),
    (
        "bytes_per_idempotency_record",
        "idempotency record",
        "bytes of an idempotency record",
    ),
];
const VERDICTS: [(&str, &str, &str); 1] = [("bytes_per_verdict", "verdict", "bytes of a verdict")];

/// Measures the size of a ledger. Stops the service.
pub(super) fn of_the_ledger(harness: &mut LookupHarness<'_>) -> Result<Vec<Metric>> {
    table_sizes(harness, &LEDGER, harness.bench.volume.rows)
}

/// Measures the size of `verdicts` verdicts. Stops the service.
pub(in super::super) fn of_verdicts(
    harness: &mut LookupHarness<'_>,
    verdicts: u64,
) -> Result<Vec<Metric>> {
    table_sizes(harness, &VERDICTS, verdicts)
}

fn table_sizes(
    harness: &mut LookupHarness<'_>,
    tables: &[(&str, &str, &str)],
    number: u64,
) -> Result<Vec<Metric>> {
    let short = short(number);
    harness.bench.progress.say("compacting the store");
    let memory = resident_mib(harness.service.process())?;
    harness.service.stop()?;
    let size_before = StoreSize::measure(harness)?;
    harness.service.command(&["store", "compact"])?;
    let size_after = StoreSize::measure(harness)?;
    let mut metrics = vec![Metric::single(
        format!("rss_mib_{short}"),
        format!("memory of the service at {short}, MiB"),
        memory,
    )];
    for (name, table, about) in tables {
        metrics.push(Metric::single(
            *name,
            format!("{about}, {short} records, compacted"),
            size_after.per_record(table)?,
        ));
        let name = format!("{name}_before_compaction");
        metrics.push(Metric::single(
            name,
            format!("{about}, before compaction"),
            size_before.per_record(table)?,
        ));
    }
    Ok(metrics)
}

/// Size of a store.
struct StoreSize {
    /// Size on disk in bytes.
    bytes: f64,
    tables: Value,
}

impl StoreSize {
    fn measure(harness: &LookupHarness<'_>) -> Result<Self> {
        let mut info = harness.service.command(&["store", "info"])?;
        let bytes = info["main_bytes"].as_f64().context("a store has a size")?;
        Ok(Self {
            bytes,
            tables: info["tables"].take(),
        })
    }

    /// Returns the bytes of the file per record of this table.
    ///
    /// All tables are assumed to share the file in proportion to their content.
    fn per_record(&self, table: &str) -> Result<f64> {
        let tables = self.tables.as_array().context("a store has tables")?;
        let total_bytes: f64 = tables
            .iter()
            .filter_map(|line| line["bytes"].as_f64())
            .sum();
        let table_size = tables
            .iter()
            .find(|line| line["table"] == table)
            .with_context(|| format!("the store has no table {table}"))?;
        let (bytes, rows) = table_size["bytes"]
            .as_f64()
            .zip(table_size["rows"].as_f64())
            .context("a table has a size")?;
        Ok(self.bytes * bytes / total_bytes / rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn file_size_is_divided_by_table_size() {
        let tables = json!([{"table": "verdict", "rows": 10, "bytes": 300}, {"table": "idempotency record", "rows": 5, "bytes": 100}]);
        let size = StoreSize {
            bytes: 800.0,
            tables,
        };
        let is = |table: &str, bytes: f64| (size.per_record(table).unwrap() - bytes).abs() < 1e-9;
        assert!(is("verdict", 60.0) && is("idempotency record", 40.0));
        assert!(
            size.per_record("row")
                .unwrap_err()
                .to_string()
                .contains("row")
        );
    }
}
