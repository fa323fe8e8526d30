//! Scenario of servers on one PostgreSQL, in turns.
//!
//! Compares the service with one node and with three, and hand-written alternatives.

use super::harness::{ADDRESSES, BOTS, LoadShape, WARM_UP, WARMING};
use super::ledger_verifier::LedgerVerifier;
use super::lookup::claimed;
use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::TargetServer;
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::{BillableServer, Database, Needs, Nodes, PEERS, Peer};
use anyhow::{Context, Result};
use std::rc::Rc;
use voight_tests::server::TestAccount;

pub(super) const SECTION: Scenario = Scenario {
    name: "nodes",
    about: "lookups of the service at one node and at three, and by hand, on one PostgreSQL",
    run,
    in_quick: true,
};

/// Numbers of nodes. The first is the reference of the others.
const NODES: [usize; 2] = [1, 3];

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, place: &StorageLocation) -> Result<ScenarioResults> {
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
                contestant.measure(manner, bench)?;
            }
        }
    }
    let mut findings = ScenarioResults::default();
    for manner in claimed() {
        let first = &contestants[0].known;
        for Competitor { known, .. } in &contestants {
            findings.add(known.findings(first, manner, place.kind.as_str())?);
        }
    }
    for Competitor { known, subject, .. } in contestants {
        subject.prove().context(known.about)?;
    }
    Ok(findings)
}

/// Starts all competitors. Each has its own database, so that none waits for row locks of another.
fn contestants(bench: &BenchContext, place: &StorageLocation, database: &Rc<Database>) -> Result<Vec<Competitor>> {
    let BenchContext { cores, cleanup, .. } = bench;
    let mut all = Vec::new();
    for number in NODES {
        let nodes = Nodes::start(number, database, place, *cores, cleanup)?;
        let about = if number == 1 { "Voight, 1 node".to_owned() } else { format!("Voight, {number} nodes") };
        all.push(Competitor::start(format!("voight_{number}"), about, CompetitorServer::Nodes(nodes))?);
    }
    for kind in PEERS.iter().filter(|kind| kind.is_on(Needs::Postgres)) {
        let peer = Peer::start_on(kind, database, place, *cores, cleanup)?;
        all.push(Competitor::start(kind.name.to_owned(), kind.about.to_owned(), CompetitorServer::Peer(peer))?);
    }
    Ok(all)
}

/// Server in the comparison.
struct Competitor {
    known: CompetitorResults,
    subject: CompetitorServer,
    tally: LedgerVerifier,
}

impl Competitor {
    fn start(name: String, about: String, subject: CompetitorServer) -> Result<Self> {
        subject.decide()?;
        let mut tally = LedgerVerifier::begin(&subject, ADDRESSES)?;
        tally.look_up(&subject, WARMING, WARM_UP)?;
        Ok(Self { known: CompetitorResults::nothing(name, about), subject, tally })
    }

    fn measure(&mut self, manner: LoadShape, bench: &BenchContext) -> Result<()> {
        let reading = self.tally.look_up(&self.subject, manner, bench.volume.time);
        self.known.add(manner, reading.with_context(|| self.known.about.clone())?);
        Ok(())
    }
}

/// Results of a competitor: one measurement for each load shape and round.
struct CompetitorResults {
    /// Name in the JSON.
    name: String,
    /// Name for readers.
    about: String,
    readings: Vec<(LoadShape, Measurements)>,
}

impl CompetitorResults {
    fn nothing(name: String, about: String) -> Self {
        Self { name, about, readings: claimed().map(|manner| (manner, Measurements::default())).collect() }
    }

    fn add(&mut self, manner: LoadShape, reading: Measurement) {
        for (_, readings) in self.readings.iter_mut().filter(|(of, _)| *of == manner) {
            readings.add(reading);
        }
    }

    fn readings_for(&self, manner: LoadShape) -> Result<&Measurements> {
        let found = self.readings.iter().find(|(of, _)| *of == manner);
        found.map(|(_, readings)| readings).context("nothing was measured")
    }

    /// Returns the result of this competitor.
    ///
    /// Includes the ratios of the first one to it, and the share of its database in its CPU time.
    fn findings(&self, first: &Self, manner: LoadShape, place: &str) -> Result<ScenarioResults> {
        let (own, name) = (self.readings_for(manner)?, format!("{}_{place}_{}", self.name, manner.name()));
        let about = format!("{}, {place}, {manner}", self.about);
        let line = own.line(format!("postgres_{name}"), about.clone())?;
        let is_first = self.name == first.name;
        let ratios =
            first.readings_for(manner)?.ratios(own, format!("{}_to_{name}", first.name))?.named("1 node to it");
        Ok(ScenarioResults {
            figures: vec![own.database(&line.name, &about)?],
            remarks: own.saturation_warning(&about)?.into_iter().collect(),
            loads: vec![LoadResult { ratios: (!is_first).then_some(ratios), ..line }],
        })
    }
}

/// Server of a competitor.
enum CompetitorServer {
    Nodes(Nodes),
    Peer(Peer),
}

impl CompetitorServer {
    fn metered(&self) -> &dyn BillableServer {
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

    /// Verifies the ledger, or the guarantees of a peer, and stops the server.
    fn prove(self) -> Result<()> {
        match self {
            Self::Nodes(nodes) => nodes.prove().context("the run is void"),
            Self::Peer(peer) => peer.prove(),
        }
    }
}

impl BillableServer for CompetitorServer {
    fn target(&self) -> TargetServer {
        self.metered().target()
    }

    fn account(&self) -> &TestAccount {
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
        let manner = LoadShape { connections: 64, idempotent: true };
        let known = |name: &str, per_second| {
            let mut known = CompetitorResults::nothing(name.to_owned(), name.to_owned());
            known.add(manner, Measurement::new(per_second, [1.0, 2.0, 3.0], 4.0));
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
