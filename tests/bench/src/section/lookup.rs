//! Scenario of lookups and the static handler, in turns.
//!
//! Uses 1 to 256 connections, in memory and on a disk.

use super::harness::{LoadShape, LookupHarness};
use super::measurement::Measurements;
use super::{BenchContext, Scenario, Volume};
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use anyhow::Result;

pub(super) const SECTION: Scenario = Scenario {
    name: "lookup",
    about: "lookups and the static handler, in turns, on 1 to 256 connections",
    run,
    in_quick: true,
};

/// Load shapes of lookups. Backends send an idempotency key with each lookup; the last shape has none, for comparison.
const LOAD_SHAPES: [LoadShape; 5] = [
    LoadShape { connections: 1, idempotent: true },
    LoadShape { connections: 16, idempotent: true },
    LoadShape { connections: 64, idempotent: true },
    LoadShape { connections: 256, idempotent: true },
    LoadShape { connections: 64, idempotent: false },
];

/// Returns the load shapes with an idempotency key, which all compared servers support.
pub(super) fn claimed() -> impl Iterator<Item = LoadShape> {
    LOAD_SHAPES.into_iter().filter(|manner| manner.idempotent)
}

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

/// Measurements of lookups and of the static handler.
#[derive(Default)]
struct LookupVsBaseline {
    lookups: Measurements,
    statics: Measurements,
}

fn measure_on(bench: &BenchContext, place: &StorageLocation) -> Result<ScenarioResults> {
    let mut stage = LookupHarness::set(bench, place)?;
    let mut pairs = LOAD_SHAPES.map(|manner| (manner, LookupVsBaseline::default()));
    let rounds = bench.volume.rounds;
    for round in 0..rounds {
        stage.measure_sync()?;
        for (manner, pair) in &mut pairs {
            bench.progress.say(format!("lookups, {}, {manner}: round {} of {rounds}", stage.place, round + 1));
            pair.measure(&mut stage, *manner, round % 2 == 0)?;
        }
    }
    let mut findings = ScenarioResults::default();
    for (manner, pair) in &pairs {
        findings.add(pair.findings(*manner, stage.place)?);
    }
    findings.add(stage.close()?);
    Ok(findings)
}

impl LookupVsBaseline {
    /// Measures both, one after the other.
    fn measure(&mut self, stage: &mut LookupHarness<'_>, manner: LoadShape, statics_first: bool) -> Result<()> {
        let Volume { time, .. } = stage.bench.volume;
        if statics_first {
            self.statics.add(stage.measure_baseline(manner.connections, time)?);
        }
        self.lookups.add(stage.look_up(manner, time)?);
        if !statics_first {
            self.statics.add(stage.measure_baseline(manner.connections, time)?);
        }
        Ok(())
    }

    fn findings(&self, manner: LoadShape, place: &str) -> Result<ScenarioResults> {
        let name = format!("{place}_{}", manner.name());
        let lookups = self.lookups.line(format!("lookup_{name}"), format!("lookup, {place}, {manner}"))?;
        let about = format!("static, {place}, {manner}");
        let statics = self.statics.line(format!("static_{name}"), about.clone())?;
        let ratios = Some(self.lookups.ratios(&self.statics, name)?);
        Ok(ScenarioResults {
            loads: vec![LoadResult { ratios, ..lookups }, statics],
            remarks: self.statics.saturation_warning(&about)?.into_iter().collect(),
            ..ScenarioResults::default()
        })
    }
}
