//! Cost of a lookup for few and for many verdicts, and the size of verdicts.

use super::harness::{LoadShape, LookupHarness};
use super::ledger::of_verdicts;
use super::measurement::Measurements;
use super::short_number::short;
use super::{BenchContext, Scenario};
use crate::report::{Metric, ScenarioResults};
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "growth",
    about: "what a lookup costs with ten thousand verdicts, and with a million or (--large) ten",
    run,
    in_quick: false,
};

const MANNER: LoadShape = LoadShape { connections: 64, idempotent: true };

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let place = bench.places.first().context("there is no place for stores")?;
    let mut stage = LookupHarness::set(bench, place)?;
    let mut findings = ScenarioResults::default();
    let mut costs = Vec::new();
    for verdicts in bench.volume.verdicts {
        costs.push((*verdicts, cost(&mut stage, *verdicts, &mut findings)?));
    }
    let ((few, base), more) = costs.split_first().context("growth needs a store with few verdicts")?;
    for (many, cost) in more {
        let (few, many) = (short(*few), short(*many));
        let about = format!("processor of a lookup, {many} verdicts to {few}");
        findings.figures.push(Metric::single(format!("growth_{few}_{many}"), about, cost / base));
    }
    stage.verify_ledger()?;
    let (most, _) = more.last().context("growth needs a store with many verdicts")?;
    findings.figures.extend(of_verdicts(&mut stage, *most)?);
    Ok(findings)
}

/// Measures the CPU time of a lookup with `verdicts` verdicts, relative to the static handler.
///
/// The speed of the machine may change between measurements, which the ratio compensates.
fn cost(stage: &mut LookupHarness<'_>, verdicts: u64, findings: &mut ScenarioResults) -> Result<f64> {
    stage.bench.progress.say(format!("{} verdicts", short(verdicts)));
    stage.seed_verdicts(verdicts)?;
    let (mut lookups, mut statics) = (Measurements::default(), Measurements::default());
    for _ in 0..stage.bench.volume.rounds {
        statics.add(stage.measure_baseline(MANNER.connections, stage.bench.volume.time)?);
        lookups.add(stage.look_up(MANNER, stage.bench.volume.time)?);
    }
    let name = format!("{}_c64_{}", stage.place, short(verdicts));
    let ratios = lookups.ratios(&statics, name.clone())?;
    let mut line = lookups
        .line(format!("lookup_{name}"), format!("lookup, {}, {MANNER}, {} verdicts", stage.place, short(verdicts)))?;
    let cost = ratios.cpu.median;
    line.ratios = Some(ratios);
    findings.loads.push(line);
    Ok(cost)
}
