//! Scenario of batch lookups with the largest batch.

use super::harness::{ADDRESSES, BOTS};
use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::run_closed_loop;
use crate::machine::StorageLocation;
use crate::report::ScenarioResults;
use crate::servers::{BATCH_SIZE, BatchClient, BillableServer};
use anyhow::{Context, Result, ensure};

pub(super) const SECTION: Scenario = Scenario {
    name: "batch",
    about: "batch lookups of 1,000 addresses, on 1 and 4 connections",
    run,
    in_short: true,
};

const CONNECTIONS: [u64; 2] = [1, 4];

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let service = bench.service(location)?;
    service.seed_verdicts(0..BOTS)?;
    let rows = service.billable()?;
    let location = location.kind.as_str();
    let mut by_connections = CONNECTIONS.map(|connections| (connections, Measurements::default()));
    let mut next = 0;
    let mut answered_batches = 0;
    for round in 0..bench.volume.rounds {
        bench
            .progress
            .say(format!("batches, {location}: round {}", round + 1));
        for (connections, measurements) in &mut by_connections {
            let clients =
                BatchClient::for_connections(*connections, service.account(), next, ADDRESSES);
            let load = run_closed_loop(service.target(), clients, bench.volume.time)?;
            next = BatchClient::beyond(&load.clients);
            answered_batches += load
                .clients
                .iter()
                .map(|client| client.answered)
                .sum::<u64>();
            measurements.add(Measurement::from_measured(&load));
        }
    }
    let billed_rows = service.billable()? - rows;
    ensure!(
        billed_rows == answered_batches * BATCH_SIZE,
        "{billed_rows} rows for {answered_batches} answered batches; the run is void"
    );
    service
        .command(&["audit", "verify"])
        .context("the run is void")?;
    let mut results = ScenarioResults::default();
    for (connections, measurements) in &by_connections {
        let name = format!("{location}_c{connections}");
        let about = format!("batch of {BATCH_SIZE}, {location}, connections: {connections}");
        results
            .metrics
            .extend(measurements.items(BATCH_SIZE, &name, &about)?);
        results
            .loads
            .push(measurements.line(format!("batch_{name}"), about)?);
    }
    Ok(results)
}
