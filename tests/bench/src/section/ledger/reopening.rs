//! Time from `kill -9` under load until the service is ready again.

use super::super::harness::LookupHarness;
use super::super::short_number::short;
use super::reading::millis;
use crate::report::{Metric, Quartiles};
use anyhow::{Context, Result};

pub(super) fn figures(stage: &mut LookupHarness<'_>) -> Result<Vec<Metric>> {
    let bench = stage.bench;
    let rows = short(bench.volume.rows);
    let mut times = Vec::new();
    for time in 0..bench.volume.repeats {
        bench.progress.say(format!("kill -9, for the time {}", time + 1));
        times.push(millis(stage.crash()?));
    }
    let about = format!("from the start after kill -9 until ready, {rows} rows, ms");
    let spread = Quartiles::from_rounds(times).context("nothing was measured")?;
    Ok(vec![Metric::new(format!("reopen_ms_{rows}"), about, spread)])
}
