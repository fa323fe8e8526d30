//! Scenario of context registrations, each of which is durable before its response.

use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::{RepeatedRequest, run_closed_loop};
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::BillableServer;
use anyhow::Result;

pub(super) const SECTION: Scenario =
    Scenario { name: "register", about: "registering contexts, on 64 connections", run, in_quick: true };

const CONNECTIONS: usize = 64;
const BODY: &str = r#"{"context_title":"bench"}"#;

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let loads = bench.places.iter().map(|place| measure_on(bench, place)).collect::<Result<_>>()?;
    Ok(ScenarioResults { loads, ..ScenarioResults::default() })
}

fn measure_on(bench: &BenchContext, place: &StorageLocation) -> Result<LoadResult> {
    let service = bench.service(place)?;
    let request = format!(
        "POST /api/v1/register/context_id HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{BODY}",
        service.account().key,
        BODY.len()
    );
    let place = place.kind.as_str();
    let mut readings = Measurements::default();
    for round in 0..bench.volume.rounds {
        bench.progress.say(format!("registrations, {place}: round {}", round + 1));
        let measured =
            run_closed_loop(service.target(), RepeatedRequest::new(CONNECTIONS, &request), bench.volume.time)?;
        readings.add(Measurement::from_measured(&measured));
    }
    readings.line(format!("register_{place}"), format!("register, {place}, {CONNECTIONS} connections"))
}
