//! Time from `kill -9` under load until the service is ready again.

use super::super::harness::LookupHarness;
use super::super::short_number::short;
use super::reading::millis;
use crate::report::{Metric, Quartiles};
use anyhow::{Context, Result};

pub(super) fn metrics(harness: &mut LookupHarness<'_>) -> Result<Vec<Metric>> {
    let bench = harness.bench;
    let rows = short(bench.volume.rows);
    let mut times = Vec::new();
    for time in 0..bench.volume.repeats {
        bench
            .progress
            .say(format!("kill -9, repetition {}", time + 1));
        times.push(millis(harness.crash()?));
    }
    let about = format!("from the start after kill -9 until ready, {rows} rows, ms");
    let quartiles = Quartiles::from_rounds(times).context("nothing was measured")?;
    Ok(vec![Metric::new(
        format!("reopen_ms_{rows}"),
        about,
        quartiles,
    )])
}
