//! What a lookup costs when there are many verdicts, in relation to few; and what they take up.

use super::books::of_verdicts;
use super::pair::Readings;
use super::round::short;
use super::stage::{Manner, Stage};
use super::{Bench, Section};
use crate::report::{Figure, Findings};
use anyhow::{Context, Result};

pub(super) const SECTION: Section = Section {
    name: "growth",
    about: "what a lookup costs with ten thousand verdicts, and with a million or (--large) ten",
    run,
    in_quick: false,
};

const MANNER: Manner = Manner { connections: 64, claim: true };

fn run(bench: &Bench) -> Result<Findings> {
    let place = bench.places.first().context("there is no place for stores")?;
    let mut stage = Stage::set(bench, place)?;
    let mut findings = Findings::default();
    let mut costs = Vec::new();
    for verdicts in bench.volume.verdicts {
        costs.push((*verdicts, cost(&mut stage, *verdicts, &mut findings)?));
    }
    let ((few, base), more) = costs.split_first().context("growth needs a store with few verdicts")?;
    for (many, cost) in more {
        let (few, many) = (short(*few), short(*many));
        let about = format!("processor of a lookup, {many} verdicts to {few}");
        findings.figures.push(Figure::once(format!("growth_{few}_{many}"), about, cost / base));
    }
    stage.prove()?;
    let (most, _) = more.last().context("growth needs a store with many verdicts")?;
    findings.figures.extend(of_verdicts(&mut stage, *most)?);
    Ok(findings)
}

/// The processor that a lookup takes among so many verdicts, in relation to the static handler: the machine may change meanwhile.
fn cost(stage: &mut Stage<'_>, verdicts: u64, findings: &mut Findings) -> Result<f64> {
    stage.bench.progress.say(format!("{} verdicts", short(verdicts)));
    stage.decide_up_to(verdicts)?;
    let (mut lookups, mut statics) = (Readings::default(), Readings::default());
    for _ in 0..stage.bench.volume.rounds {
        statics.add(stage.ask_statically(MANNER.connections, stage.bench.volume.time)?);
        lookups.add(stage.look_up(MANNER, stage.bench.volume.time)?);
    }
    let name = format!("{}_c64_{}", stage.place, short(verdicts));
    let ratios = lookups.ratios(&statics, name.clone())?;
    let mut line = lookups
        .line(format!("lookup_{name}"), format!("lookup, {}, {MANNER}, {} verdicts", stage.place, short(verdicts)))?;
    let cost = ratios.cpu.median;
    line.ratios = Some(ratios);
    findings.loads.push(line);
    Ok(cost)
}
