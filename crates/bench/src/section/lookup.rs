//! Lookups and the static handler, in turns: on 1 to 256 connections, in memory and on a disk.

use super::pair::Readings;
use super::stage::{Manner, Stage};
use super::{Bench, Section, Volume};
use crate::machine::Place;
use crate::report::{Findings, LoadLine};
use anyhow::Result;

pub(super) const SECTION: Section = Section {
    name: "lookup",
    about: "lookups and the static handler, in turns, on 1 to 256 connections",
    run,
    in_quick: true,
};

/// How lookups are sent. As backends send them, each has an idempotency key; the last are without, for comparison.
const MANNERS: [Manner; 5] = [
    Manner { connections: 1, claim: true },
    Manner { connections: 16, claim: true },
    Manner { connections: 64, claim: true },
    Manner { connections: 256, claim: true },
    Manner { connections: 64, claim: false },
];

/// Those with an idempotency key, where others than the service keep that promise, too.
pub(super) fn claimed() -> impl Iterator<Item = Manner> {
    MANNERS.into_iter().filter(|manner| manner.claim)
}

fn run(bench: &Bench) -> Result<Findings> {
    bench.everywhere(at)
}

/// What was read of lookups, and of the static handler beside them.
#[derive(Default)]
struct Pair {
    lookups: Readings,
    statics: Readings,
}

fn at(bench: &Bench, place: &Place) -> Result<Findings> {
    let mut stage = Stage::set(bench, place)?;
    let mut pairs = MANNERS.map(|manner| (manner, Pair::default()));
    let rounds = bench.volume.rounds;
    for round in 0..rounds {
        stage.look_at_the_disk()?;
        for (manner, pair) in &mut pairs {
            bench.progress.say(format!("lookups, {}, {manner}: round {} of {rounds}", stage.place, round + 1));
            pair.measure(&mut stage, *manner, round % 2 == 0)?;
        }
    }
    let mut findings = Findings::default();
    for (manner, pair) in &pairs {
        findings.add(pair.findings(*manner, stage.place)?);
    }
    findings.add(stage.close()?);
    Ok(findings)
}

impl Pair {
    /// Asks both, one after the other.
    fn measure(&mut self, stage: &mut Stage<'_>, manner: Manner, statics_first: bool) -> Result<()> {
        let Volume { time, .. } = stage.bench.volume;
        if statics_first {
            self.statics.add(stage.ask_statically(manner.connections, time)?);
        }
        self.lookups.add(stage.look_up(manner, time)?);
        if !statics_first {
            self.statics.add(stage.ask_statically(manner.connections, time)?);
        }
        Ok(())
    }

    fn findings(&self, manner: Manner, place: &str) -> Result<Findings> {
        let name = format!("{place}_{}", manner.name());
        let lookups = self.lookups.line(format!("lookup_{name}"), format!("lookup, {place}, {manner}"))?;
        let about = format!("static, {place}, {manner}");
        let statics = self.statics.line(format!("static_{name}"), about.clone())?;
        let ratios = Some(self.lookups.ratios(&self.statics, name)?);
        Ok(Findings {
            loads: vec![LoadLine { ratios, ..lookups }, statics],
            remarks: self.statics.exhausted(&about)?.into_iter().collect(),
            ..Findings::default()
        })
    }
}
