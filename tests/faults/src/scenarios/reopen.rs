//! Scenario: time to open a store of a known size after `kill -9`.

use crate::harness::{Backend, TestAccount, pause};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use crate::time_budget::TimeBudget;
use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use voight_contract::block_on;
use voight_domain::metering::LedgerId;

/// Number of kills and openings; the maximum and the median are reported.
const KILLS: usize = 5;

/// Metric of the size on disk.
pub(crate) const MIB: &str = "MiB on disk";
pub(crate) const MEDIAN_MS: &str = "milliseconds, median";
pub(crate) const MAX_MS: &str = "milliseconds, maximum";

pub(crate) const SCENARIO: Scenario = Scenario {
    name: "reopen",
    about: "kill -9 of a process that writes to a store with this number of ledger rows and of verdicts: time to reopen",
    unit: "ledger rows",
    backends: Backend::ALL,
    tried: Tried::Store,
    ci_volume: 2_000,
    full_volume: 1_000_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let store = cycle.dir.join("store");
    let mut millis = Vec::new();
    for _ in 0..KILLS {
        fill_and_kill(cycle, &store)?;
        let stopwatch = TimeBudget::start(None);
        let store_handle = cycle
            .backend
            .open(&store)
            .context("the store does not open")?;
        let account = TestAccount::find_or_create(store_handle.as_ref())?;
        let meter = block_on(store_handle.meter(LedgerId::live(account.client.id)))?
            .context("the meter is missing")?;
        millis.push(u64::try_from(stopwatch.elapsed().as_millis())?);
        ensure!(
            meter.seq >= cycle.remaining,
            "{} of {} rows are stored",
            meter.seq,
            cycle.remaining
        );
    }
    millis.sort_unstable();
    let mut result = CycleResult::new(cycle.remaining);
    within(cycle.backend, millis[KILLS - 1])?;
    result.record_maximum(MAX_MS, millis[KILLS - 1]);
    result.record_maximum(MEDIAN_MS, millis[KILLS / 2]);
    result.record_maximum(MIB, voight_embedded::disk_bytes(&store) >> 20);
    Ok(result)
}

/// Returns an error if opening took longer than the limit.
fn within(backend: Backend, millis: u64) -> Result<()> {
    let limit = backend.max_reopen_ms();
    ensure!(
        millis <= limit,
        "the store on {backend} took {millis} ms to open, the limit is {limit} ms"
    );
    Ok(())
}

/// Lets a process fill the store to its size, and kills it while it continues to write.
fn fill_and_kill(cycle: &ScenarioCycle<'_>, store: &Path) -> Result<()> {
    let mut command = Command::new(&cycle.harness.program);
    command.arg("fill").arg(store).args([
        "--backend",
        cycle.backend.as_str(),
        "--rows",
        &cycle.remaining.to_string(),
    ]);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let full = wait_until_full(&mut child);
    pause(cycle.random().u64(10_000..200_000));
    child.kill()?;
    child.wait()?;
    full
}

fn wait_until_full(child: &mut Child) -> Result<()> {
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("the process has no output")?)
        .read_line(&mut line)?;
    ensure!(
        line.trim() == "full",
        "the process ended before the store was full"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::within;
    use crate::harness::Backend;

    #[test]
    fn a_slow_reopen_is_an_error() {
        assert!(within(Backend::Redb, 5_000).is_ok() && within(Backend::Sled, 60_000).is_ok());
        let slow = within(Backend::Redb, 5_001).unwrap_err().to_string();
        assert_eq!(
            slow,
            "the store on redb took 5001 ms to open, the limit is 5000 ms"
        );
    }
}
