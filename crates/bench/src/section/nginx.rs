//! The static handler beside nginx, so that the baseline is known to be a fast one.

use super::pair::{Reading, Readings};
use super::{Bench, Section};
use crate::load::{Repeated, closed};
use crate::report::{Findings, LoadLine};
use crate::subject::{Nginx, STATIC};
use anyhow::{Context, Result};

pub(super) const SECTION: Section = Section {
    name: "nginx",
    about: "nginx and the static handler, in turns, where nginx is installed",
    run,
    in_quick: true,
};

const CONNECTIONS: usize = 64;

fn run(bench: &Bench) -> Result<Findings> {
    let place = bench.places.first().context("there is no place for files")?;
    let Some(nginx) = Nginx::start(place, bench.cores, &bench.cleanup)? else {
        let remark = "nginx is not installed, so the static handler was not held against it.".to_owned();
        return Ok(Findings { remarks: vec![remark], ..Findings::default() });
    };
    let baseline = bench.baseline()?;
    let (mut others, mut own) = (Readings::default(), Readings::default());
    for round in 0..bench.volume.rounds {
        bench.progress.say(format!("nginx: round {}", round + 1));
        let ask =
            |target| closed(target, Repeated::on(CONNECTIONS, STATIC), bench.volume.time).map(|it| Reading::of(&it));
        others.add(ask(nginx.target())?);
        own.add(ask(baseline.target())?);
    }
    let ratios = Some(others.ratios(&own, format!("nginx_c{CONNECTIONS}"))?);
    let line = others.line(format!("nginx_c{CONNECTIONS}"), format!("nginx, {CONNECTIONS} connections"))?;
    Ok(Findings { loads: vec![LoadLine { ratios, ..line }], ..Findings::default() })
}
