//! Lookups that come at fixed rates, whether the ones before are answered or not.

use super::pair::Readings;
use super::stage::{Manner, Stage};
use super::{Bench, Section};
use crate::load::Rate;
use crate::machine::Place;
use crate::report::Findings;
use anyhow::Result;

pub(super) const SECTION: Section = Section {
    name: "rates",
    about: "how long lookups take that come at fixed rates, whatever became of those before",
    run,
    in_quick: true,
};

const MANNER: Manner = Manner { connections: 64, claim: true };

fn run(bench: &Bench) -> Result<Findings> {
    bench.everywhere(at)
}

fn at(bench: &Bench, place: &Place) -> Result<Findings> {
    let mut stage = Stage::set(bench, place)?;
    let mut all: Vec<_> = bench.volume.rates.iter().map(|rate| (*rate, Readings::default())).collect();
    for round in 0..bench.volume.rounds {
        stage.look_at_the_disk()?;
        for (rate, readings) in &mut all {
            bench.progress.say(format!("{rate} lookups a second, {}: round {}", stage.place, round + 1));
            readings.add(stage.look_up_at(*rate, MANNER, bench.volume.time)?);
        }
    }
    let place = stage.place;
    let line = |(rate, readings): &(Rate, Readings)| {
        readings.line(format!("lookup_{place}_at_{rate}"), format!("lookup, {place}, {rate} come a second"))
    };
    let loads = all.iter().map(line).collect::<Result<_>>()?;
    stage.close()?;
    Ok(Findings { loads, ..Findings::default() })
}
