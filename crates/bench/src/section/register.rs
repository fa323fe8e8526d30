//! Registering contexts, each of which is durable before it is answered.

use super::pair::{Reading, Readings};
use super::{Bench, Section};
use crate::load::{Repeated, closed};
use crate::machine::Place;
use crate::report::{Findings, LoadLine};
use crate::subject::Metered;
use anyhow::Result;

pub(super) const SECTION: Section =
    Section { name: "register", about: "registering contexts, on 64 connections", run, in_quick: true };

const CONNECTIONS: usize = 64;
const BODY: &str = r#"{"context_title":"bench"}"#;

fn run(bench: &Bench) -> Result<Findings> {
    let loads = bench.places.iter().map(|place| at(bench, place)).collect::<Result<_>>()?;
    Ok(Findings { loads, ..Findings::default() })
}

fn at(bench: &Bench, place: &Place) -> Result<LoadLine> {
    let service = bench.service(place)?;
    let request = format!(
        "POST /api/v1/register/context_id HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{BODY}",
        service.account().key,
        BODY.len()
    );
    let place = place.kind.as_str();
    let mut readings = Readings::default();
    for round in 0..bench.volume.rounds {
        bench.progress.say(format!("registrations, {place}: round {}", round + 1));
        let measured = closed(service.target(), Repeated::on(CONNECTIONS, &request), bench.volume.time)?;
        readings.add(Reading::of(&measured));
    }
    readings.line(format!("register_{place}"), format!("register, {place}, {CONNECTIONS} connections"))
}
