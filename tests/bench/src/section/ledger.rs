//! Scenario of a large ledger: read, back up, reopen after a crash, and measure its size.

mod reading;
mod reopening;
mod size;

pub(super) use size::of_verdicts;

use super::harness::LookupHarness;
use super::{BenchContext, Scenario};
use crate::report::ScenarioResults;
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "ledger",
    about: "large ledger: invoice preview, audit verify, backup, reopening after kill -9, size and memory",
    run,
    in_short: true,
};

/// Runs on the disk, where ledgers are stored in production.
fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let location = bench
        .locations
        .last()
        .context("there is no storage location")?;
    let mut harness = LookupHarness::set(bench, location)?;
    harness.fill(bench.volume.rows)?;
    let mut results = ScenarioResults::default();
    results.metrics.extend(reading::metrics(&harness)?);
    results.metrics.extend(reopening::metrics(&mut harness)?);
    results.metrics.extend(size::of_the_ledger(&mut harness)?);
    Ok(results)
}
