//! Lookups and the static handler, in turns: on 1 to 256 connections, in memory and on a disk.

use super::pair::Measurements;
use super::stage::{LoadShape, LookupHarness};
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

/// How lookups are sent. As backends send them, each has an idempotency key; the last are without, for comparison.
const LOAD_SHAPES: [LoadShape; 5] = [
    LoadShape { connections: 1, idempotent: true },
    LoadShape { connections: 16, idempotent: true },
    LoadShape { connections: 64, idempotent: true },
    LoadShape { connections: 256, idempotent: true },
    LoadShape { connections: 64, idempotent: false },
];

/// Those with an idempotency key, where others than the service keep that promise, too.
pub(super) fn claimed() -> impl Iterator<Item = LoadShape> {
    LOAD_SHAPES.into_iter().filter(|manner| manner.idempotent)
}

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

/// What was read of lookups, and of the static handler beside them.
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
    /// Asks both, one after the other.
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
