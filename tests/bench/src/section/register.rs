//! Scenario of context registrations, each of which is durable before its response.

use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::{RepeatedRequest, run_closed_loop};
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::BillableServer;
use anyhow::Result;

pub(super) const SECTION: Scenario = Scenario {
    name: "register",
    about: "registration of contexts, on 64 connections",
    run,
    in_short: true,
};

const CONNECTIONS: usize = 64;
const BODY: &str = r#"{"context_title":"bench"}"#;

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let loads = bench
        .locations
        .iter()
        .map(|location| measure_on(bench, location))
        .collect::<Result<_>>()?;
    Ok(ScenarioResults {
        loads,
        ..ScenarioResults::default()
    })
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<LoadResult> {
    let service = bench.service(location)?;
    let request = format!(
        "POST /api/v1/register/context_id HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{BODY}",
        service.account().key,
        BODY.len()
    );
    let location = location.kind.as_str();
    let mut measurements = Measurements::default();
    for round in 0..bench.volume.rounds {
        bench
            .progress
            .say(format!("registrations, {location}: round {}", round + 1));
        let load = run_closed_loop(
            service.target(),
            RepeatedRequest::new(CONNECTIONS, &request),
            bench.volume.time,
        )?;
        measurements.add(Measurement::from_measured(&load));
    }
    measurements.line(
        format!("register_{location}"),
        format!("register, {location}, {CONNECTIONS} connections"),
    )
}
