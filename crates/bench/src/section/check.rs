//! Checks, step by step: opened, two batches of evidence, completed; and completed once more for the same addresses, where the new
//! observation is merged into a verdict that is there. Each round has a context of its own: what completing a check costs grows with
//! the addresses that its input is compared with.

use super::pair::{Reading, Readings};
use super::{Bench, Section};
use crate::load::{Prepared, closed};
use crate::machine::Place;
use crate::report::{Figure, Findings};
use crate::subject::{Metered, Service, Visitor};
use anyhow::Result;
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;

pub(super) const SECTION: Section = Section {
    name: "check",
    about: "checks: open, evidence, complete, and merge into a verdict, on 16 connections",
    run,
    in_quick: true,
};

const CONNECTIONS: usize = 16;
/// Longer than what the evidence tells of: what cannot have happened yet is refused.
const MEANWHILE: Duration = Duration::from_millis(1_600);
/// No step takes as long.
const PATIENCE: Duration = Duration::from_mins(1);

/// The steps: the name in the JSON, and for people.
const STEPS: [(&str, &str); 4] = [
    ("open", "open a check"),
    ("evidence", "a batch of evidence"),
    ("complete", "complete a check"),
    ("merge", "complete, merged into a verdict"),
];

fn run(bench: &Bench) -> Result<Findings> {
    bench.everywhere(at)
}

fn at(bench: &Bench, place: &Place) -> Result<Findings> {
    let service = bench.service(place)?;
    let kind = place.kind.as_str();
    let mut steps: [Readings; 4] = Default::default();
    for round in 0..bench.volume.rounds.div_ceil(5) {
        bench.progress.say(format!("checks, {kind}: round {}", round + 1));
        let first = u64::from(round) * bench.volume.checks;
        let numbers = first..first + bench.volume.checks;
        let context = service.another_context();
        let [opened, evidence, completed] = go_through(&service, &context, numbers.clone(), 0)?;
        let [_, _, merged] = go_through(&service, &context, numbers, 1)?;
        for (step, reading) in steps.iter_mut().zip([opened, evidence, completed, merged]) {
            step.add(reading);
        }
    }
    let line = |((name, about), step): ((&str, &str), &Readings)| {
        step.line(format!("check_{name}_{kind}"), format!("{about}, {kind}, {CONNECTIONS} connections"))
    };
    let loads = STEPS.into_iter().zip(&steps).map(line).collect::<Result<Vec<_>>>()?;
    let durable = loads.iter().find(|line| line.name == "check_evidence_disk");
    let figure =
        |rate| Figure::new("evidence_per_core_s", "batches of evidence, durable on the disk, a second and core", rate);
    let figures = durable.map(|line| figure(line.per_second)).into_iter().collect();
    Ok(Findings { loads, figures, ..Findings::default() })
}

/// Takes the visitors with these numbers through their checks, all of them one step after the other; `time` tells their
/// first checks from their second ones.
fn go_through(service: &Service, context: &str, numbers: Range<u64>, time: u8) -> Result<[Reading; 3]> {
    let opens: Vec<_> = numbers.clone().map(|number| Visitor::opens(context, number)).collect();
    let (opened, bodies) = ask(service, &opens)?;
    let visitors = numbers.zip(&bodies).map(|(number, body)| Visitor::opened(context, number, time, body));
    let visitors = visitors.collect::<Result<Vec<_>>>()?;
    sleep(MEANWHILE);
    let firsts = visitors.iter().map(Visitor::first).collect::<Result<Vec<_>>>()?;
    let (evidence, steps) = ask(service, &firsts)?;
    sleep(MEANWHILE);
    let seconds = visitors.iter().zip(&steps).map(|(visitor, step)| visitor.second(step));
    ask(service, &seconds.collect::<Result<Vec<_>>>()?)?;
    let ends: Vec<_> = visitors.iter().map(Visitor::completes).collect();
    let (completed, _) = ask(service, &ends)?;
    Ok([opened, evidence, completed])
}

/// Asks all of it once.
fn ask(service: &Service, requests: &[String]) -> Result<(Reading, Vec<Vec<u8>>)> {
    let measured = closed(service.target(), Prepared::on(CONNECTIONS, requests), PATIENCE)?;
    Ok((Reading::of(&measured), Prepared::bodies(measured.askers)))
}
