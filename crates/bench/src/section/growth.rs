//! What a lookup costs when there are many verdicts, in relation to few; and what they take up.

use super::books::{of_verdicts, short};
use super::pair::Readings;
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

const FEW: u64 = 10_000;
const MANNER: Manner = Manner { connections: 64, claim: true };

fn run(bench: &Bench) -> Result<Findings> {
    let place = bench.places.first().context("there is no place for stores")?;
    let mut stage = Stage::set(bench, place)?;
    let mut findings = Findings::default();
    let few = cost(&mut stage, FEW, &mut findings)?;
    let mut most = FEW;
    for many in bench.volume.verdicts {
        let cost = cost(&mut stage, *many, &mut findings)?;
        let (name, about) =
            (format!("growth_10k_{}", short(*many)), format!("cost of a lookup, {} verdicts to 10k", short(*many)));
        findings.figures.push(Figure::once(name, about, cost / few));
        most = *many;
    }
    findings.figures.extend(of_verdicts(&mut stage, most)?);
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
