//! Cost of a lookup for few and for many verdicts, and the size of verdicts.

use super::harness::LookupHarness;
use super::ledger::of_verdicts;
use super::measurement::Measurements;
use super::short_number::short;
use super::{BenchContext, Scenario};
use crate::report::{Metric, ScenarioResults};
use crate::servers::LoadShape;
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "growth",
    about: "cost of a lookup with ten thousand verdicts, and with one million or (--large) ten million",
    run,
    in_short: false,
};

const LOAD_SHAPE: LoadShape = LoadShape {
    connections: 64,
    idempotent: true,
};

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let location = bench
        .locations
        .first()
        .context("there is no storage location")?;
    let mut harness = LookupHarness::set(bench, location)?;
    let mut results = ScenarioResults::default();
    let mut costs = Vec::new();
    for verdicts in bench.volume.verdicts {
        costs.push((*verdicts, cost(&mut harness, *verdicts, &mut results)?));
    }
    let ((few, base), more) = costs
        .split_first()
        .context("growth requires a store with few verdicts")?;
    for (many, cost) in more {
        let few_name = short(*few);
        let many_name = short(*many);
        let about = format!("CPU time of a lookup, {many_name} verdicts to {few_name}");
        results.metrics.push(Metric::single(
            format!("growth_{few_name}_{many_name}"),
            about,
            cost / base,
        ));
    }
    harness.verify_ledger()?;
    let (most, _) = more
        .last()
        .context("growth requires a store with many verdicts")?;
    results.metrics.extend(of_verdicts(&mut harness, *most)?);
    Ok(results)
}

/// Measures the CPU time of a lookup with `verdicts` verdicts, relative to the static handler.
///
/// The speed of the machine may change between measurements, which the ratio compensates.
fn cost(
    harness: &mut LookupHarness<'_>,
    verdicts: u64,
    results: &mut ScenarioResults,
) -> Result<f64> {
    harness
        .bench
        .progress
        .say(format!("{} verdicts", short(verdicts)));
    harness.seed_verdicts(verdicts)?;
    let mut lookups = Measurements::default();
    let mut statics = Measurements::default();
    for _ in 0..harness.bench.volume.rounds {
        statics.add(harness.measure_baseline(LOAD_SHAPE.connections, harness.bench.volume.time)?);
        lookups.add(harness.look_up(LOAD_SHAPE, harness.bench.volume.time)?);
    }
    let name = format!("{}_c64_{}", harness.location, short(verdicts));
    let ratios = lookups.ratios(&statics, name.clone())?;
    let mut line = lookups.line(
        format!("lookup_{name}"),
        format!(
            "lookup, {}, {LOAD_SHAPE}, {} verdicts",
            harness.location,
            short(verdicts)
        ),
    )?;
    let cost = ratios.cpu.median;
    line.ratios = Some(ratios);
    results.loads.push(line);
    Ok(cost)
}
