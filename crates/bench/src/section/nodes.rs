//! One PostgreSQL, and who keeps books in it: the service at one node and at three, and what one would write by hand instead, in
//! turns.

use super::lookup::claimed;
use super::pair::{Reading, Readings};
use super::stage::{ADDRESSES, BOTS, Manner, WARM_UP, WARMING};
use super::tally::Tally;
use super::{Bench, Section};
use crate::load::Target;
use crate::machine::Place;
use crate::report::{Findings, LoadLine};
use crate::subject::{Database, Metered, Needs, Nodes, PEERS, Peer};
use anyhow::{Context, Result};
use std::rc::Rc;
use voight_tests::server::Account;

pub(super) const SECTION: Section = Section {
    name: "nodes",
    about: "lookups of the service at one node and at three, and by hand, on one PostgreSQL",
    run,
    in_quick: true,
};

/// How many nodes there are at a time. The first is what the others are held against.
const NODES: [usize; 2] = [1, 3];

fn run(bench: &Bench) -> Result<Findings> {
    bench.everywhere(at)
}

fn at(bench: &Bench, place: &Place) -> Result<Findings> {
    let folder = place.folder(&bench.cleanup)?;
    let database = Rc::new(Database::start(Needs::Postgres, folder.path(), bench.cores, &bench.cleanup)?);
    let mut contestants = contestants(bench, place, &database)?;
    for round in 0..bench.volume.rounds {
        for manner in claimed() {
            let (kind, rounds) = (place.kind.as_str(), bench.volume.rounds);
            bench.progress.say(format!("one PostgreSQL, {kind}, {manner}: round {} of {rounds}", round + 1));
            let mut turns: Vec<_> = contestants.iter_mut().collect();
            if round % 2 == 1 {
                turns.reverse();
            }
            for contestant in turns {
                contestant.ask(manner, bench)?;
            }
        }
    }
    let mut findings = Findings::default();
    for manner in claimed() {
        let first = &contestants[0].known;
        for Contestant { known, .. } in &contestants {
            findings.add(known.findings(first, manner, place.kind.as_str())?);
        }
    }
    for Contestant { known, subject, .. } in contestants {
        subject.prove().context(known.about)?;
    }
    Ok(findings)
}

/// All of them, ready. Each has a database of its own, so nobody waits for rows of another.
fn contestants(bench: &Bench, place: &Place, database: &Rc<Database>) -> Result<Vec<Contestant>> {
    let Bench { cores, cleanup, .. } = bench;
    let mut all = Vec::new();
    for number in NODES {
        let nodes = Nodes::start(number, database, place, *cores, cleanup)?;
        let about = if number == 1 { "Voight, 1 node".to_owned() } else { format!("Voight, {number} nodes") };
        all.push(Contestant::ready(format!("voight_{number}"), about, Subject::Nodes(nodes))?);
    }
    for kind in PEERS.iter().filter(|kind| kind.is_on(Needs::Postgres)) {
        let peer = Peer::start_on(kind, database, place, *cores, cleanup)?;
        all.push(Contestant::ready(kind.name.to_owned(), kind.about.to_owned(), Subject::Peer(peer))?);
    }
    Ok(all)
}

/// Somebody who answers.
struct Contestant {
    known: Known,
    subject: Subject,
    tally: Tally,
}

impl Contestant {
    fn ready(name: String, about: String, subject: Subject) -> Result<Self> {
        subject.decide()?;
        let mut tally = Tally::begin(&subject, ADDRESSES)?;
        tally.look_up(&subject, WARMING, WARM_UP)?;
        Ok(Self { known: Known::nothing(name, about), subject, tally })
    }

    fn ask(&mut self, manner: Manner, bench: &Bench) -> Result<()> {
        let reading = self.tally.look_up(&self.subject, manner, bench.volume.time);
        self.known.add(manner, reading.with_context(|| self.known.about.clone())?);
        Ok(())
    }
}

/// What is known of a contestant: a reading for each manner in each round.
struct Known {
    /// Its name in the JSON.
    name: String,
    /// Its name for people.
    about: String,
    readings: Vec<(Manner, Readings)>,
}

impl Known {
    fn nothing(name: String, about: String) -> Self {
        Self { name, about, readings: claimed().map(|manner| (manner, Readings::default())).collect() }
    }

    fn add(&mut self, manner: Manner, reading: Reading) {
        for (_, readings) in self.readings.iter_mut().filter(|(of, _)| *of == manner) {
            readings.add(reading);
        }
    }

    fn of(&self, manner: Manner) -> Result<&Readings> {
        let found = self.readings.iter().find(|(of, _)| *of == manner);
        found.map(|(_, readings)| readings).context("nothing was measured")
    }

    /// Its line, with the first contestant in relation to it, and what of its processor is the database's.
    fn findings(&self, first: &Self, manner: Manner, place: &str) -> Result<Findings> {
        let (own, name) = (self.of(manner)?, format!("{}_{place}_{}", self.name, manner.name()));
        let about = format!("{}, {place}, {manner}", self.about);
        let line = own.line(format!("postgres_{name}"), about.clone())?;
        let is_first = self.name == first.name;
        let ratios = first.of(manner)?.ratios(own, format!("{}_to_{name}", first.name))?.named("1 node to it");
        Ok(Findings {
            figures: vec![own.database(&line.name, &about)?],
            remarks: own.exhausted(&about)?.into_iter().collect(),
            loads: vec![LoadLine { ratios: (!is_first).then_some(ratios), ..line }],
        })
    }
}

/// What is asked.
enum Subject {
    Nodes(Nodes),
    Peer(Peer),
}

impl Subject {
    fn metered(&self) -> &dyn Metered {
        match self {
            Self::Nodes(nodes) => nodes,
            Self::Peer(peer) => peer,
        }
    }

    fn decide(&self) -> Result<()> {
        match self {
            Self::Nodes(nodes) => nodes.decide(0..BOTS),
            Self::Peer(peer) => peer.decide(0..BOTS),
        }
    }

    /// Proves its books, or that it keeps what it promises, and ends it.
    fn prove(self) -> Result<()> {
        match self {
            Self::Nodes(nodes) => nodes.prove().context("the run is void"),
            Self::Peer(peer) => peer.prove(),
        }
    }
}

impl Metered for Subject {
    fn target(&self) -> Target {
        self.metered().target()
    }

    fn account(&self) -> &Account {
        self.metered().account()
    }

    fn billable(&self) -> Result<u64> {
        self.metered().billable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::flat;

    #[test]
    fn one_node_is_held_against_the_others_on_its_server() {
        let manner = Manner { connections: 64, claim: true };
        let known = |name: &str, per_second| {
            let mut known = Known::nothing(name.to_owned(), name.to_owned());
            known.add(manner, Reading::new(per_second, [1.0, 2.0, 3.0], 4.0));
            known
        };
        let (first, other) = (known("voight_1", 300.0), known("express", 100.0));
        let found = flat(&other.findings(&first, manner, "disk").unwrap());
        let expected = [
            ("postgres_express_disk_c64_per_s", 100),
            ("postgres_express_disk_c64_cpu_us", 4),
            ("postgres_express_disk_c64_database_cpu_us", 2),
            ("ratio_voight_1_to_express_disk_c64", 3),
        ];
        for (name, value) in expected {
            assert_eq!(found[name], value, "{name} in {found}");
        }
        let own = flat(&first.findings(&first, manner, "disk").unwrap());
        assert!(own.get("ratio_voight_1_to_voight_1_disk_c64").is_none(), "{own}");
    }
}
