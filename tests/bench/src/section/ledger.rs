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
    name: "books",
    about: "a ledger of many rows: invoice preview, audit verify, backup, reopening after kill -9, bytes and memory",
    run,
    in_quick: true,
};

/// Runs on the disk, where ledgers are stored in production.
fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let place = bench.places.last().context("there is no place for stores")?;
    let mut stage = LookupHarness::set(bench, place)?;
    stage.fill(bench.volume.rows)?;
    let mut findings = ScenarioResults::default();
    findings.figures.extend(reading::figures(&stage)?);
    findings.figures.extend(reopening::figures(&mut stage)?);
    findings.figures.extend(size::of_the_ledger(&mut stage)?);
    Ok(findings)
}
