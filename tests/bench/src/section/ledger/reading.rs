//! Reads of the whole ledger while the service runs.

use super::super::harness::LookupHarness;
use super::super::short_number::short;
use crate::clock::Stopwatch;
use crate::report::{Metric, Quartiles};
use crate::servers::BillableServer;
use anyhow::{Context, Result};
use std::time::Duration;

pub(super) fn metrics(harness: &LookupHarness<'_>) -> Result<Vec<Metric>> {
    let rows = short(harness.bench.volume.rows);
    let service = &harness.service;
    let preview = repeat(harness, "invoice preview", || {
        service
            .read(&format!(
                "/admin/v1/invoices/preview?client={}",
                service.account().client
            ))
            .map(drop)
    })?;
    let proof = repeat(harness, "audit verify", || {
        service.command(&["audit", "verify"]).map(drop)
    })?;
    let mut number = 0;
    let backup = repeat(harness, "backup", || {
        number += 1;
        let file = service.dir().join(format!("{number}.dump"));
        service.command(&["store", "backup", "--out", &file.to_string_lossy()])?;
        Ok(std::fs::remove_file(file)?)
    })?;
    Ok(vec![
        Metric::new(
            format!("invoice_preview_ms_{rows}"),
            format!("invoice preview over {rows} rows, ms"),
            preview,
        ),
        Metric::new(
            format!("audit_verify_ms_{rows}"),
            format!("audit verify of {rows} rows, ms"),
            proof,
        ),
        Metric::new(
            format!("backup_ms_{rows}"),
            format!("backup of {rows} rows, ms"),
            backup,
        ),
    ])
}

/// Measures the duration of `work` in milliseconds, several times.
fn repeat(
    harness: &LookupHarness<'_>,
    what: &str,
    mut work: impl FnMut() -> Result<()>,
) -> Result<Quartiles> {
    let times = (0..harness.bench.volume.repeats).map(|time| {
        harness
            .bench
            .progress
            .say(format!("{what}, repetition {}", time + 1));
        let stopwatch = Stopwatch::start();
        work()?;
        Ok(millis(stopwatch.elapsed()))
    });
    Quartiles::from_rounds(times.collect::<Result<Vec<_>>>()?).context("nothing was measured")
}

/// Returns the duration in milliseconds, with fractions.
pub(super) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
