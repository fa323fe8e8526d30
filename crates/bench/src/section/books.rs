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

/// A round number of rows as names have it: 30k, 1m.
pub(super) fn short(number: u64) -> String {
    match (number % 1_000_000, number % 1_000) {
        (0, _) => format!("{}m", number / 1_000_000),
        (_, 0) => format!("{}k", number / 1_000),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn round_numbers_are_short() {
        let names = [(1_000_000, "1m"), (30_000, "30k"), (1_500, "1500"), (10_000_000, "10m")];
        for (number, name) in names {
            assert_eq!(short(number), name);
        }
    }
}
