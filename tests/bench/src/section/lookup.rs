//! Scenario of lookups, the static handler and the epoll echo, measured alternately.
//!
//! Uses 1 to 256 connections, in memory and on a disk.

use super::harness::LookupHarness;
use super::measurement::Measurements;
use super::{BenchContext, Scenario, Volume};
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::LoadShape;
use anyhow::Result;

pub(super) const SECTION: Scenario = Scenario {
    name: "lookup",
    about: "lookups, the static handler and an epoll echo, alternately, on 1 to 256 connections",
    run,
    in_short: true,
};

/// Load shapes of lookups. Backends send an idempotency key with each lookup; the last shape has none, for comparison.
const LOAD_SHAPES: [LoadShape; 5] = [
    LoadShape {
        connections: 1,
        idempotent: true,
    },
    LoadShape {
        connections: 16,
        idempotent: true,
    },
    LoadShape {
        connections: 64,
        idempotent: true,
    },
    LoadShape {
        connections: 256,
        idempotent: true,
    },
    LoadShape {
        connections: 64,
        idempotent: false,
    },
];

/// Returns the load shapes with an idempotency key, which all compared servers support.
pub(super) fn with_idempotency_key() -> impl Iterator<Item = LoadShape> {
    LOAD_SHAPES
        .into_iter()
        .filter(|load_shape| load_shape.idempotent)
}

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

/// Measurements of lookups, of the static handler and of the epoll echo.
#[derive(Default)]
struct LookupVsBaseline {
    lookups: Measurements,
    statics: Measurements,
    echoes: Measurements,
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let mut harness = LookupHarness::set(bench, location)?;
    let mut pairs = LOAD_SHAPES.map(|load_shape| (load_shape, LookupVsBaseline::default()));
    let rounds = bench.volume.rounds;
    for round in 0..rounds {
        harness.measure_sync()?;
        for (load_shape, pair) in &mut pairs {
            bench.progress.say(format!(
                "lookups, {}, {load_shape}: round {} of {rounds}",
                harness.location,
                round + 1
            ));
            pair.measure(&mut harness, *load_shape, round)?;
        }
    }
    let mut results = ScenarioResults::default();
    for (load_shape, pair) in &pairs {
        results.add(pair.results(*load_shape, harness.location)?);
    }
    results.add(harness.close()?);
    Ok(results)
}

impl LookupVsBaseline {
    /// Measures all, one after the other, in the opposite order in every other round.
    fn measure(
        &mut self,
        harness: &mut LookupHarness<'_>,
        load_shape: LoadShape,
        round: u32,
    ) -> Result<()> {
        let statics_first = round.is_multiple_of(2);
        let Volume { time, .. } = harness.bench.volume;
        if statics_first {
            self.echoes.add(harness.measure_echo(load_shape, time)?);
            self.statics
                .add(harness.measure_baseline(load_shape.connections, time)?);
        }
        self.lookups.add(harness.look_up(load_shape, time)?);
        if !statics_first {
            self.statics
                .add(harness.measure_baseline(load_shape.connections, time)?);
            self.echoes.add(harness.measure_echo(load_shape, time)?);
        }
        Ok(())
    }

    fn results(&self, load_shape: LoadShape, location: &str) -> Result<ScenarioResults> {
        let name = format!("{location}_{}", load_shape.name());
        let lookups = self.lookups.line(
            format!("lookup_{name}"),
            format!("lookup, {location}, {load_shape}"),
        )?;
        let about = format!("static, {location}, {load_shape}");
        let statics = self.statics.line(format!("static_{name}"), about.clone())?;
        let echoes = self.echoes.line(
            format!("echo_{name}"),
            format!("epoll echo, {location}, {load_shape}"),
        )?;
        let metrics = self.lookups.above(&self.echoes, &name, &lookups.about)?;
        let ratios = Some(self.lookups.ratios(&self.statics, name)?);
        Ok(ScenarioResults {
            loads: vec![LoadResult { ratios, ..lookups }, statics, echoes],
            metrics: metrics.into(),
            notes: self
                .statics
                .saturation_warning(&about)?
                .into_iter()
                .collect(),
        })
    }
}
