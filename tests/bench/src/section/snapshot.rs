//! Scenario of snapshots: the time from an upload to the complete file, and lookups beside the job.

use super::harness::LookupHarness;
use super::measurement::Measurements;
use super::{BenchContext, Scenario};
use crate::clock::Stopwatch;
use crate::load::Rate;
use crate::machine::{StorageLocation, resident_mib};
use crate::report::{Metric, Quartiles, ScenarioResults};
use crate::servers::{LoadShape, SnapshotClient};
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(super) const SECTION: Scenario = Scenario {
    name: "snapshot",
    about: "snapshots of uploaded addresses, with lookups of another client beside them",
    run,
    in_short: true,
};

const LOAD_SHAPE: LoadShape = LoadShape {
    connections: 64,
    idempotent: true,
};
/// Lookups per second beside the job.
const RATE: Rate = Rate(2_000);
/// Pause of the client after each piece of a file.
const PAUSE: Duration = Duration::from_micros(500);
/// Interval between two readings of the memory.
const MEMORY_INTERVAL: Duration = Duration::from_millis(20);

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let mut harness = LookupHarness::set(bench, location)?;
    let addresses = bench.volume.rows;
    let location = harness.location;
    let client = SnapshotClient::new(&harness.service, addresses);
    let mut seconds = Vec::new();
    let mut growth = Vec::new();
    let mut alone = Measurements::default();
    let mut concurrent = Measurements::default();
    for round in 0..bench.volume.repeats {
        bench.progress.say(format!(
            "snapshot of {addresses} addresses, {location}: round {}",
            round + 1
        ));
        let process = harness.service.process();
        let memory_before = resident_mib(process)?;
        let stopwatch = Stopwatch::start();
        client.take(Duration::ZERO)?;
        let time = stopwatch.elapsed();
        seconds.push(time.as_secs_f64());
        let has_ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let memory = scope.spawn(|| peak_mib(process, &has_ended));
            // As long as the job takes, so that all of its steps are beside the lookups.
            alone.add(harness.look_up_at(RATE, LOAD_SHAPE, time)?);
            let job = scope.spawn(|| client.take(PAUSE));
            concurrent.add(harness.look_up_at(RATE, LOAD_SHAPE, time)?);
            job.join()
                .map_err(|_| anyhow::anyhow!("the snapshot panicked"))??;
            has_ended.store(true, Ordering::Relaxed);
            let peak = memory
                .join()
                .map_err(|_| anyhow::anyhow!("the reader of the memory panicked"))??;
            growth.push(peak - memory_before);
            anyhow::Ok(())
        })?;
    }
    let ratios = concurrent.ratios(&alone, location.to_owned())?;
    let quartiles =
        |values: Vec<f64>| Quartiles::from_rounds(values).context("nothing was measured");
    let mut results = ScenarioResults::default();
    results.metrics.extend(metrics(
        location,
        addresses,
        [quartiles(seconds)?, quartiles(growth)?, ratios.p99],
    ));
    harness.close()?;
    Ok(results)
}

/// Returns the metrics of the duration, the growth of the memory and the ratio of the p99.
fn metrics(location: &str, addresses: u64, quartiles: [Quartiles; 3]) -> [Metric; 3] {
    let about = |what: &str| format!("snapshot of {addresses} addresses, {location}: {what}");
    let [seconds, growth, ratio] = quartiles;
    [
        Metric::new(
            format!("snapshot_s_{location}"),
            about("seconds from the upload to the CSV"),
            seconds,
        ),
        Metric::new(
            format!("snapshot_growth_mib_{location}"),
            about("growth of the memory, MiB"),
            growth,
        ),
        Metric::new(
            format!("snapshot_p99_ratio_{location}"),
            about("p99 of 2,000 lookups a second beside it, to that without it"),
            ratio,
        ),
    ]
}

/// Returns the largest resident memory of a process until `has_ended`.
fn peak_mib(process: u32, has_ended: &AtomicBool) -> Result<f64> {
    let mut peak: f64 = 0.0;
    while !has_ended.load(Ordering::Relaxed) {
        peak = peak.max(resident_mib(process)?);
        thread::sleep(MEMORY_INTERVAL);
    }
    Ok(peak)
}
