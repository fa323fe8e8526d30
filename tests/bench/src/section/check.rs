//! Scenario of checks, step by step: open, two batches of evidence, complete.
//!
//! A second check of each address merges the new observation into an existing verdict. Each round has its own context, because
//! the cost of completing a check grows with the addresses that its input is compared with.

use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::{PreparedRequests, run_closed_loop};
use crate::machine::StorageLocation;
use crate::report::{Metric, ScenarioResults};
use crate::servers::{BillableServer, Service, Visitor};
use anyhow::Result;
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;

pub(super) const SECTION: Scenario = Scenario {
    name: "check",
    about: "checks: open, evidence, complete, and merge into a verdict, on 16 connections",
    run,
    in_short: true,
};

const CONNECTIONS: usize = 16;
/// Delay between batches, longer than their time span: events in the future are rejected.
const BATCH_DELAY: Duration = Duration::from_millis(1_600);
/// Timeout of a step.
const STEP_TIMEOUT: Duration = Duration::from_mins(1);

/// Steps: the name in the JSON, and the description.
const STEPS: [(&str, &str); 4] = [
    ("open", "open a check"),
    ("evidence", "a batch of evidence"),
    ("complete", "complete a check"),
    ("merge", "complete, merged into a verdict"),
];

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let service = bench.service(location)?;
    let kind = location.kind.as_str();
    let mut steps: [Measurements; 4] = Default::default();
    for round in 0..bench.volume.rounds.div_ceil(5) {
        bench
            .progress
            .say(format!("checks, {kind}: round {}", round + 1));
        let first = u64::from(round) * bench.volume.checks;
        let numbers = first..first + bench.volume.checks;
        let context = service.another_context();
        let [opened, evidence, completed] = go_through(&service, &context, numbers.clone(), 0)?;
        let [_, _, merged] = go_through(&service, &context, numbers, 1)?;
        for (step, measurement) in steps.iter_mut().zip([opened, evidence, completed, merged]) {
            step.add(measurement);
        }
    }
    let line = |((name, about), step): ((&str, &str), &Measurements)| {
        step.line(
            format!("check_{name}_{kind}"),
            format!("{about}, {kind}, {CONNECTIONS} connections"),
        )
    };
    let loads = STEPS
        .into_iter()
        .zip(&steps)
        .map(line)
        .collect::<Result<Vec<_>>>()?;
    let durable = loads.iter().find(|line| line.name == "check_evidence_disk");
    let metric = |rate| {
        Metric::new(
            "evidence_per_core_s",
            "batches of evidence, durable on the disk, per second and core",
            rate,
        )
    };
    let metrics = durable
        .map(|line| metric(line.per_second))
        .into_iter()
        .collect();
    Ok(ScenarioResults {
        loads,
        metrics,
        ..ScenarioResults::default()
    })
}

/// Runs the checks of these visitors in lockstep. `time` selects their first or their second checks.
fn go_through(
    service: &Service,
    context: &str,
    numbers: Range<u64>,
    time: u8,
) -> Result<[Measurement; 3]> {
    let opens: Vec<_> = numbers
        .clone()
        .map(|number| Visitor::opens(context, number))
        .collect();
    let (opened, bodies) = send_all(service, &opens)?;
    let visitors = numbers
        .zip(&bodies)
        .map(|(number, body)| Visitor::opened(context, number, time, body));
    let visitors = visitors.collect::<Result<Vec<_>>>()?;
    sleep(BATCH_DELAY);
    let firsts = visitors
        .iter()
        .map(Visitor::first_batch)
        .collect::<Result<Vec<_>>>()?;
    let (evidence, steps) = send_all(service, &firsts)?;
    sleep(BATCH_DELAY);
    let seconds = visitors
        .iter()
        .zip(&steps)
        .map(|(visitor, step)| visitor.second(step));
    send_all(service, &seconds.collect::<Result<Vec<_>>>()?)?;
    let bounds: Vec<_> = visitors.iter().map(Visitor::completes).collect();
    let (completed, _) = send_all(service, &bounds)?;
    Ok([opened, evidence, completed])
}

/// Sends all requests once.
fn send_all(service: &Service, requests: &[String]) -> Result<(Measurement, Vec<Vec<u8>>)> {
    let load = run_closed_loop(
        service.target(),
        PreparedRequests::distribute(CONNECTIONS, requests),
        STEP_TIMEOUT,
    )?;
    Ok((
        Measurement::from_measured(&load),
        PreparedRequests::bodies(load.clients),
    ))
}
