//! Scenario of the static handler and nginx, which shows that the baseline is fast.

use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::{RepeatedRequest, run_closed_loop};
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::{Nginx, STATIC};
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "nginx",
    about: "nginx and the static handler, in turns, where nginx is installed",
    run,
    in_quick: true,
};

const CONNECTIONS: usize = 64;

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let place = bench.places.first().context("there is no place for files")?;
    let Some(nginx) = Nginx::start(place, bench.cores, &bench.cleanup)? else {
        let remark = "nginx is not installed, so the static handler was not held against it.".to_owned();
        return Ok(ScenarioResults { remarks: vec![remark], ..ScenarioResults::default() });
    };
    let baseline = bench.baseline()?;
    let (mut others, mut own) = (Measurements::default(), Measurements::default());
    for round in 0..bench.volume.rounds {
        bench.progress.say(format!("nginx: round {}", round + 1));
        let ask = |target| {
            run_closed_loop(target, RepeatedRequest::new(CONNECTIONS, STATIC), bench.volume.time)
                .map(|it| Measurement::from_measured(&it))
        };
        others.add(ask(nginx.target())?);
        own.add(ask(baseline.target())?);
    }
    let ratios = Some(others.ratios(&own, format!("nginx_c{CONNECTIONS}"))?);
    let line = others.line(format!("nginx_c{CONNECTIONS}"), format!("nginx, {CONNECTIONS} connections"))?;
    Ok(ScenarioResults { loads: vec![LoadResult { ratios, ..line }], ..ScenarioResults::default() })
}
