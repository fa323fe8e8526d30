//! Scenario of servers on one PostgreSQL server, measured alternately.
//!
//! Compares the service with one node and with three, and hand-written alternatives.

use super::harness::{ADDRESSES, BOTS, WARM_UP, WARMING};
use super::ledger_verifier::LedgerVerifier;
use super::lookup::with_idempotency_key;
use super::measurement::{Measurement, Measurements};
use super::{BenchContext, Scenario};
use crate::load::TargetServer;
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::{BillableServer, Database, LoadShape, Needs, Nodes, PEERS, Peer};
use anyhow::{Context, Result};
use std::rc::Rc;
use voight_tests::server::TestAccount;

pub(super) const SECTION: Scenario = Scenario {
    name: "nodes",
    about: "lookups of the service on one node and on three, and of peers, on one PostgreSQL server",
    run,
    in_short: true,
};

/// Numbers of nodes. The first is the reference of the others.
const NODES: [usize; 2] = [1, 3];

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    bench.run_on_all_storage(measure_on)
}

fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let dir = location.dir(&bench.cleanup)?;
    let database = Rc::new(Database::start(
        Needs::Postgres,
        dir.path(),
        bench.cores,
        &bench.cleanup,
    )?);
    let mut competitors = competitors(bench, location, &database)?;
    for round in 0..bench.volume.rounds {
        for load_shape in with_idempotency_key() {
            let kind = location.kind.as_str();
            let rounds = bench.volume.rounds;
            bench.progress.say(format!(
                "one PostgreSQL, {kind}, {load_shape}: round {} of {rounds}",
                round + 1
            ));
            let mut order: Vec<_> = competitors.iter_mut().collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for competitor in order {
                competitor.measure(load_shape, bench)?;
            }
        }
    }
    let mut results = ScenarioResults::default();
    for load_shape in with_idempotency_key() {
        let first = &competitors[0].history;
        for Competitor { history, .. } in &competitors {
            results.add(history.results(first, load_shape, location.kind.as_str())?);
        }
    }
    for Competitor {
        history, server, ..
    } in competitors
    {
        server.verify().context(history.about)?;
    }
    Ok(results)
}

/// Starts all competitors. Each has its own database, so that none waits for row locks of another.
fn competitors(
    bench: &BenchContext,
    location: &StorageLocation,
    database: &Rc<Database>,
) -> Result<Vec<Competitor>> {
    let BenchContext { cores, cleanup, .. } = bench;
    let mut competitors = Vec::new();
    for number in NODES {
        let nodes = Nodes::start(number, database, location, *cores, cleanup)?;
        let about = if number == 1 {
            "Voight, 1 node".to_owned()
        } else {
            format!("Voight, {number} nodes")
        };
        competitors.push(Competitor::start(
            format!("voight_{number}"),
            about,
            CompetitorServer::Nodes(nodes),
        )?);
    }
    for kind in PEERS.iter().filter(|kind| kind.is_on(Needs::Postgres)) {
        let peer = Peer::start_on(kind, database, location, *cores, cleanup)?;
        competitors.push(Competitor::start(
            kind.name.to_owned(),
            kind.about.to_owned(),
            CompetitorServer::Peer(peer),
        )?);
    }
    Ok(competitors)
}

/// Server in the comparison.
struct Competitor {
    history: CompetitorResults,
    server: CompetitorServer,
    verifier: LedgerVerifier,
}

impl Competitor {
    fn start(name: String, about: String, server: CompetitorServer) -> Result<Self> {
        server.seed_verdicts()?;
        let mut verifier = LedgerVerifier::begin(&server, ADDRESSES)?;
        verifier.look_up(&server, WARMING, WARM_UP)?;
        Ok(Self {
            history: CompetitorResults::nothing(name, about),
            server,
            verifier,
        })
    }

    fn measure(&mut self, load_shape: LoadShape, bench: &BenchContext) -> Result<()> {
        let measurement = self
            .verifier
            .look_up(&self.server, load_shape, bench.volume.time);
        self.history.add(
            load_shape,
            measurement.with_context(|| self.history.about.clone())?,
        );
        Ok(())
    }
}

/// Results of a competitor: one measurement for each load shape and round.
struct CompetitorResults {
    /// Name in the JSON.
    name: String,
    /// Name for readers.
    about: String,
    measurements: Vec<(LoadShape, Measurements)>,
}

impl CompetitorResults {
    fn nothing(name: String, about: String) -> Self {
        Self {
            name,
            about,
            measurements: with_idempotency_key()
                .map(|load_shape| (load_shape, Measurements::default()))
                .collect(),
        }
    }

    fn add(&mut self, load_shape: LoadShape, measurement: Measurement) {
        for (_, measurements) in self
            .measurements
            .iter_mut()
            .filter(|(of, _)| *of == load_shape)
        {
            measurements.add(measurement);
        }
    }

    fn measurements_for(&self, load_shape: LoadShape) -> Result<&Measurements> {
        let actual = self.measurements.iter().find(|(of, _)| *of == load_shape);
        actual
            .map(|(_, measurements)| measurements)
            .context("nothing was measured")
    }

    /// Returns the result of this competitor.
    ///
    /// Includes the ratios of the first competitor to it, and the CPU time of its database.
    fn results(
        &self,
        first: &Self,
        load_shape: LoadShape,
        location: &str,
    ) -> Result<ScenarioResults> {
        let measurements = self.measurements_for(load_shape)?;
        let name = format!("{}_{location}_{}", self.name, load_shape.name());
        let about = format!("{}, {location}, {load_shape}", self.about);
        let line = measurements.line(format!("postgres_{name}"), about.clone())?;
        let is_first = self.name == first.name;
        let ratios = first
            .measurements_for(load_shape)?
            .ratios(measurements, format!("{}_to_{name}", first.name))?
            .named("1 node to this");
        Ok(ScenarioResults {
            metrics: vec![measurements.database(&line.name, &about)?],
            notes: measurements
                .saturation_warning(&about)?
                .into_iter()
                .collect(),
            loads: vec![LoadResult {
                ratios: (!is_first).then_some(ratios),
                ..line
            }],
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

    fn seed_verdicts(&self) -> Result<()> {
        match self {
            Self::Nodes(nodes) => nodes.seed_verdicts(0..BOTS),
            Self::Peer(peer) => peer.seed_verdicts(0..BOTS),
        }
    }

    /// Verifies the ledger, or the guarantees of a peer, and stops the server.
    fn verify(self) -> Result<()> {
        match self {
            Self::Nodes(nodes) => nodes.verify().context("the run is void"),
            Self::Peer(peer) => peer.verify(),
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
    fn results_contain_ratios_to_competitors() {
        let load_shape = LoadShape {
            connections: 64,
            idempotent: true,
        };
        let history = |name: &str, per_second| {
            let mut history = CompetitorResults::nothing(name.to_owned(), name.to_owned());
            history.add(
                load_shape,
                Measurement::new(per_second, [1.0, 2.0, 3.0], 4.0),
            );
            history
        };
        let first = history("voight_1", 300.0);
        let express = history("express", 100.0);
        let actual = flat(&express.results(&first, load_shape, "disk").unwrap());
        let expected_metrics = [
            ("postgres_express_disk_c64_per_s", 100),
            ("postgres_express_disk_c64_cpu_us", 4),
            ("postgres_express_disk_c64_database_cpu_us", 2),
            ("ratio_voight_1_to_express_disk_c64", 3),
        ];
        for (name, value) in expected_metrics {
            assert_eq!(actual[name], value, "{name} in {actual}");
        }
        let own_metrics = flat(&first.results(&first, load_shape, "disk").unwrap());
        assert!(
            own_metrics
                .get("ratio_voight_1_to_voight_1_disk_c64")
                .is_none(),
            "{own_metrics}"
        );
    }
}
