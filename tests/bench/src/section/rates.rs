//! Scenario of lookups at fixed rates (open loop).

use super::harness::{LoadShape, LookupHarness};
use super::measurement::Measurements;
use super::{BenchContext, Scenario};
use crate::load::Rate;
use crate::machine::StorageLocation;
use crate::report::ScenarioResults;
use anyhow::Result;

pub(super) const SECTION: Scenario = Scenario {
    name: "rates",
    about: "how long lookups take that come at fixed rates, whatever became of those before",
    run,
    in_quick: true,
};

const MANNER: LoadShape = LoadShape { connections: 64, idempotent: true };

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, place: &StorageLocation) -> Result<ScenarioResults> {
    let mut stage = LookupHarness::set(bench, place)?;
    let mut all: Vec<_> = bench.volume.rates.iter().map(|rate| (*rate, Measurements::default())).collect();
    for round in 0..bench.volume.rounds {
        stage.measure_sync()?;
        for (rate, readings) in &mut all {
            bench.progress.say(format!("{rate} lookups a second, {}: round {}", stage.place, round + 1));
            readings.add(stage.look_up_at(*rate, MANNER, bench.volume.time)?);
        }
    }
    let place = stage.place;
    let line = |(rate, readings): &(Rate, Measurements)| {
        readings.line(format!("lookup_{place}_at_{rate}"), format!("lookup, {place}, {rate} come a second"))
    };
    let loads = all.iter().map(line).collect::<Result<_>>()?;
    stage.close()?;
    Ok(ScenarioResults { loads, ..ScenarioResults::default() })
}
