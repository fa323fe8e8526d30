//! A ledger of many rows: reading it, backing it up, opening it after a crash, and what it takes up.

mod reading;
mod reopening;
mod size;

pub(super) use size::of_verdicts;

use super::stage::Stage;
use super::{Bench, Section};
use crate::report::Findings;
use anyhow::{Context, Result};

pub(super) const SECTION: Section = Section {
    name: "books",
    about: "a ledger of many rows: invoice preview, audit verify, backup, reopening after kill -9, bytes and memory",
    run,
    in_quick: true,
};

/// On the disk, where books are kept.
fn run(bench: &Bench) -> Result<Findings> {
    let place = bench.places.last().context("there is no place for stores")?;
    let mut stage = Stage::set(bench, place)?;
    stage.fill(bench.volume.rows)?;
    let mut findings = Findings::default();
    findings.figures.extend(reading::figures(&stage)?);
    findings.figures.extend(reopening::figures(&mut stage)?);
    findings.figures.extend(size::of_the_ledger(&mut stage)?);
    Ok(findings)
}
