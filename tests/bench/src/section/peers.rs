//! Scenario of the service and hand-written alternatives, measured alternately.
//!
//! Sends the same lookups on 1 to 256 connections.

use super::harness::{ADDRESSES, BOTS, LookupHarness, WARM_UP, WARMING};
use super::ledger_verifier::LedgerVerifier;
use super::lookup::with_idempotency_key;
use super::measurement::Measurements;
use super::{BenchContext, Scenario};
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::{LoadShape, PEERS, Peer, PeerKind};
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "peers",
    about: "lookups of the service and of hand-written alternatives, alternately",
    run,
    in_short: true,
};

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let mut results = ScenarioResults::default();
    for location in bench.locations.iter().rev() {
        results.add(measure_on(bench, location)?);
    }
    Ok(results)
}

/// Measures one peer after the other, so that no other peer's database runs at the same time.
fn measure_on(bench: &BenchContext, location: &StorageLocation) -> Result<ScenarioResults> {
    let mut harness = LookupHarness::set(bench, location)?;
    let mut own_measurements: Vec<_> = with_idempotency_key()
        .map(|load_shape| (load_shape, Measurements::default()))
        .collect();
    let mut peer_results = ScenarioResults::default();
    for kind in &PEERS {
        let pairs = measure_pair(&mut harness, location, kind)
            .with_context(|| format!("peer {}", kind.about))?;
        for ((load_shape, pair), (_, measurements)) in pairs.into_iter().zip(&mut own_measurements)
        {
            peer_results.add(pair.results(kind, load_shape, harness.location)?);
            measurements.extend(pair.own);
        }
    }
    let mut results = ScenarioResults::default();
    for (load_shape, measurements) in own_measurements {
        let name = format!("{}_{}", harness.location, load_shape.name());
        let line = measurements.line(
            format!("lookup_{name}"),
            format!("Voight, {}, {load_shape}", harness.location),
        );
        results.loads.push(line?);
    }
    results.add(peer_results);
    results.add(harness.close()?);
    Ok(results)
}

/// Measurements of the service, and of a peer in the same rounds.
#[derive(Debug, Default)]
struct ServiceVsPeer {
    own: Measurements,
    peer: Measurements,
}

/// Measures a peer and the service in alternating order, round after round.
fn measure_pair(
    harness: &mut LookupHarness<'_>,
    location: &StorageLocation,
    kind: &PeerKind,
) -> Result<Vec<(LoadShape, ServiceVsPeer)>> {
    let BenchContext {
        cores,
        cleanup,
        volume,
        progress,
        ..
    } = harness.bench;
    let peer = Peer::start(kind, location, *cores, cleanup)?;
    peer.seed_verdicts(0..BOTS)?;
    let mut verifier = LedgerVerifier::begin(&peer, ADDRESSES)?;
    verifier.look_up(&peer, WARMING, WARM_UP)?;
    let mut pairs: Vec<_> = with_idempotency_key()
        .map(|load_shape| (load_shape, ServiceVsPeer::default()))
        .collect();
    for round in 0..volume.rounds {
        harness.measure_sync()?;
        for (load_shape, pair) in &mut pairs {
            let about = kind.about;
            let rounds = volume.rounds;
            progress.say(format!(
                "{about}, {}, {load_shape}: round {} of {rounds}",
                harness.location,
                round + 1
            ));
            let own_first = round % 2 == 0;
            if own_first {
                pair.own.add(harness.look_up(*load_shape, volume.time)?);
            }
            let measurement = verifier.look_up(&peer, *load_shape, volume.time);
            pair.peer
                .add(measurement.with_context(|| peer.complaints())?);
            if !own_first {
                pair.own.add(harness.look_up(*load_shape, volume.time)?);
            }
        }
    }
    peer.verify()?;
    Ok(pairs)
}

impl ServiceVsPeer {
    /// Returns the peer's result.
    ///
    /// Includes the ratios of the service to the peer, and the CPU time of the peer's database.
    fn results(
        &self,
        kind: &PeerKind,
        load_shape: LoadShape,
        location: &str,
    ) -> Result<ScenarioResults> {
        let name = format!("{}_{location}_{}", kind.name, load_shape.name());
        let about = format!("{}, {location}, {load_shape}", kind.about);
        let line = self.peer.line(format!("peer_{name}"), about.clone())?;
        let ratios = self
            .own
            .ratios(&self.peer, format!("voight_to_{name}"))?
            .named("Voight to this");
        let database = || self.peer.database(&line.name, &about);
        let has_database_metric =
            kind.has_server() && load_shape.connections == WARMING.connections;
        Ok(ScenarioResults {
            metrics: has_database_metric
                .then(database)
                .transpose()?
                .into_iter()
                .collect(),
            notes: self.peer.saturation_warning(&about)?.into_iter().collect(),
            loads: vec![LoadResult {
                ratios: Some(ratios),
                ..line
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::measurement::Measurement;
    use super::*;
    use crate::report::flat;

    #[test]
    fn results_contain_ratios_to_the_peer() {
        let measurement = |per_second| Measurement::new(per_second, [1.0, 2.0, 3.0], 4.0);
        let mut pair = ServiceVsPeer::default();
        pair.own.add(measurement(300.0));
        pair.peer.add(measurement(100.0));
        let actual = pair
            .results(
                &PEERS[0],
                LoadShape {
                    connections: 64,
                    idempotent: true,
                },
                "disk",
            )
            .unwrap();
        assert_eq!(
            actual.loads[0].about,
            "Express + PostgreSQL, disk, 64 connections"
        );
        let actual = flat(&actual);
        let expected_metrics = [
            ("peer_express_disk_c64_per_s", 100),
            ("peer_express_disk_c64_p50_us", 1),
            ("peer_express_disk_c64_p99_us", 2),
            ("peer_express_disk_c64_cpu_us", 4),
            ("peer_express_disk_c64_database_cpu_us", 2),
            ("ratio_voight_to_express_disk_c64", 3),
            ("cpu_ratio_voight_to_express_disk_c64", 1),
        ];
        for (name, value) in expected_metrics {
            assert_eq!(actual[name], value, "{name} in {actual}");
        }
    }
}
