//! Scenario of lookups at fixed rates (open loop).

use super::harness::LookupHarness;
use super::measurement::Measurements;
use super::{BenchContext, Scenario};
use crate::load::Rate;
use crate::machine::StorageLocation;
use crate::report::ScenarioResults;
use crate::servers::LoadShape;
use anyhow::Result;

pub(super) const SECTION: Scenario = Scenario {
    name: "rates",
    about: "latency of lookups at fixed rates, independent of pending responses",
    run,
    in_short: true,
};

const LOAD_SHAPE: LoadShape = LoadShape {
    connections: 64,
    idempotent: true,
};

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let mut harness = LookupHarness::set(bench, location)?;
    let mut by_rate: Vec<_> = bench
        .volume
        .rates
        .iter()
        .map(|rate| (*rate, Measurements::default()))
        .collect();
    for round in 0..bench.volume.rounds {
        harness.measure_sync()?;
        for (rate, measurements) in &mut by_rate {
            bench.progress.say(format!(
                "{rate} lookups a second, {}: round {}",
                harness.location,
                round + 1
            ));
            measurements.add(harness.look_up_at(*rate, LOAD_SHAPE, bench.volume.time)?);
        }
    }
    let location = harness.location;
    let line = |(rate, measurements): &(Rate, Measurements)| {
        measurements.line(
            format!("lookup_{location}_at_{rate}"),
            format!("lookup, {location}, {rate} per second"),
        )
    };
    let loads = by_rate.iter().map(line).collect::<Result<_>>()?;
    harness.close()?;
    Ok(ScenarioResults {
        loads,
        ..ScenarioResults::default()
    })
}
