//! Size of records on disk, and memory of the service.

use super::super::harness::LookupHarness;
use super::super::short_number::short;
use crate::machine::resident_mib;
use crate::report::Metric;
use anyhow::{Context, Result};
use serde_json::Value;

/// Tables of a ledger: the name in the JSON, the table name in the store, and the description.
const LEDGER: [(&str, &str, &str); 3] = [
    ("bytes_per_ledger_row", "ledger row", "bytes of a ledger row"),
    ("bytes_per_opening", "opening", "bytes of an opening"),
    ("bytes_per_claim", "claim", "bytes of a claim"),
];
const VERDICTS: [(&str, &str, &str); 1] = [("bytes_per_verdict", "verdict", "bytes of a verdict")];

/// Measures the size of a ledger. Stops the service.
pub(super) fn of_the_ledger(stage: &mut LookupHarness<'_>) -> Result<Vec<Metric>> {
    table_sizes(stage, &LEDGER, stage.bench.volume.rows)
}

/// Measures the size of `verdicts` verdicts. Stops the service.
pub(in super::super) fn of_verdicts(stage: &mut LookupHarness<'_>, verdicts: u64) -> Result<Vec<Metric>> {
    table_sizes(stage, &VERDICTS, verdicts)
}

fn table_sizes(stage: &mut LookupHarness<'_>, tables: &[(&str, &str, &str)], number: u64) -> Result<Vec<Metric>> {
    let short = short(number);
    stage.bench.progress.say("compacting the store");
    let memory = resident_mib(stage.service.process())?;
    stage.service.stop()?;
    let before = StoreSize::measure(stage)?;
    stage.service.command(&["store", "compact"])?;
    let after = StoreSize::measure(stage)?;
    let mut figures =
        vec![Metric::single(format!("rss_mib_{short}"), format!("memory of the service at {short}, MiB"), memory)];
    for (name, table, about) in tables {
        figures.push(Metric::single(*name, format!("{about}, {short} of them, compacted"), after.per_record(table)?));
        let name = format!("{name}_before_compaction");
        figures.push(Metric::single(name, format!("{about}, as it was written"), before.per_record(table)?));
    }
    Ok(figures)
}

/// Size of a store.
struct StoreSize {
    /// Size on disk in bytes.
    bytes: f64,
    tables: Value,
}

impl StoreSize {
    fn measure(stage: &LookupHarness<'_>) -> Result<Self> {
        let mut info = stage.service.command(&["store", "info"])?;
        let bytes = info["main_bytes"].as_f64().context("a store has a size")?;
        Ok(Self { bytes, tables: info["tables"].take() })
    }

    /// Returns the bytes of the file per record of this table.
    ///
    /// All tables are assumed to share the file in proportion to their content.
    fn per_record(&self, table: &str) -> Result<f64> {
        let tables = self.tables.as_array().context("a store has tables")?;
        let all: f64 = tables.iter().filter_map(|line| line["bytes"].as_f64()).sum();
        let own = tables.iter().find(|line| line["table"] == table).with_context(|| format!("there is no {table}"))?;
        let (bytes, rows) = own["bytes"].as_f64().zip(own["rows"].as_f64()).context("a table has a size")?;
        Ok(self.bytes * bytes / all / rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_is_shared_by_its_tables_as_their_records_are_long() {
        let tables =
            json!([{"table": "verdict", "rows": 10, "bytes": 300}, {"table": "claim", "rows": 5, "bytes": 100}]);
        let taken = StoreSize { bytes: 800.0, tables };
        let is = |table: &str, bytes: f64| (taken.per_record(table).unwrap() - bytes).abs() < 1e-9;
        assert!(is("verdict", 60.0) && is("claim", 40.0));
        assert!(taken.per_record("row").unwrap_err().to_string().contains("row"));
    }
}
