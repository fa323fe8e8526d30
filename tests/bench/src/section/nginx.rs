//! Scenario of the static handler and nginx, which shows that the baseline is fast.

use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::{RepeatedRequest, run_closed_loop};
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::{Nginx, STATIC};
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "nginx",
    about: "nginx and the static handler, alternately, if nginx is installed",
    run,
    in_short: true,
};

const CONNECTIONS: usize = 64;

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let location = bench
        .locations
        .first()
        .context("there is no storage location")?;
    let Some(nginx) = Nginx::start(location, bench.cores, &bench.cleanup)? else {
        let note =
            "nginx is not installed, so the static handler was not compared with it.".to_owned();
        return Ok(ScenarioResults {
            notes: vec![note],
            ..ScenarioResults::default()
        });
    };
    let baseline = bench.baseline()?;
    let mut nginx_measurements = Measurements::default();
    let mut baseline_measurements = Measurements::default();
    for round in 0..bench.volume.rounds {
        bench.progress.say(format!("nginx: round {}", round + 1));
        let measure = |target| {
            run_closed_loop(
                target,
                RepeatedRequest::new(CONNECTIONS, STATIC),
                bench.volume.time,
            )
            .map(|load| Measurement::from_measured(&load))
        };
        nginx_measurements.add(measure(nginx.target())?);
        baseline_measurements.add(measure(baseline.target())?);
    }
    let ratios =
        Some(nginx_measurements.ratios(&baseline_measurements, format!("nginx_c{CONNECTIONS}"))?);
    let line = nginx_measurements.line(
        format!("nginx_c{CONNECTIONS}"),
        format!("nginx, {CONNECTIONS} connections"),
    )?;
    Ok(ScenarioResults {
        loads: vec![LoadResult { ratios, ..line }],
        ..ScenarioResults::default()
    })
}
