//! Scenario of the service and hand-written alternatives, in turns.
//!
//! Sends the same lookups on 1 to 256 connections.

use super::harness::{ADDRESSES, BOTS, LoadShape, LookupHarness, WARM_UP, WARMING};
use super::ledger_verifier::LedgerVerifier;
use super::lookup::claimed;
use super::measurement::Measurements;
use super::{BenchContext, Scenario};
use crate::machine::StorageLocation;
use crate::report::{LoadResult, ScenarioResults};
use crate::servers::{PEERS, Peer, PeerKind};
use anyhow::{Context, Result};

pub(super) const SECTION: Scenario = Scenario {
    name: "peers",
    about: "lookups of the service and of what one would write by hand instead, in turns",
    run,
    in_quick: true,
};

fn run(bench: &BenchContext) -> Result<ScenarioResults> {
    let mut findings = ScenarioResults::default();
    for place in bench.places.iter().rev() {
        findings.add(measure_on(bench, place)?);
    }
    Ok(findings)
}

/// Measures one peer after the other, so that no other peer's database runs meanwhile.
fn measure_on(bench: &BenchContext, place: &StorageLocation) -> Result<ScenarioResults> {
    let mut stage = LookupHarness::set(bench, place)?;
    let mut own: Vec<_> = claimed().map(|manner| (manner, Measurements::default())).collect();
    let mut others = ScenarioResults::default();
    for kind in &PEERS {
        let pairs = measure_pair(&mut stage, place, kind).with_context(|| format!("peer {}", kind.about))?;
        for ((manner, pair), (_, readings)) in pairs.into_iter().zip(&mut own) {
            others.add(pair.findings(kind, manner, stage.place)?);
            readings.extend(pair.own);
        }
    }
    let mut findings = ScenarioResults::default();
    for (manner, readings) in own {
        let name = format!("{}_{}", stage.place, manner.name());
        let line = readings.line(format!("lookup_{name}"), format!("Voight, {}, {manner}", stage.place));
        findings.loads.push(line?);
    }
    findings.add(others);
    findings.add(stage.close()?);
    Ok(findings)
}

/// Measurements of the service, and of a peer in the same rounds.
#[derive(Debug, Default)]
struct ServiceVsPeer {
    own: Measurements,
    peer: Measurements,
}

/// Measures a peer and the service in alternating order, round after round.
fn measure_pair(
    stage: &mut LookupHarness<'_>,
    place: &StorageLocation,
    kind: &PeerKind,
) -> Result<Vec<(LoadShape, ServiceVsPeer)>> {
    let BenchContext { cores, cleanup, volume, progress, .. } = stage.bench;
    let peer = Peer::start(kind, place, *cores, cleanup)?;
    peer.decide(0..BOTS)?;
    let mut tally = LedgerVerifier::begin(&peer, ADDRESSES)?;
    tally.look_up(&peer, WARMING, WARM_UP)?;
    let mut pairs: Vec<_> = claimed().map(|manner| (manner, ServiceVsPeer::default())).collect();
    for round in 0..volume.rounds {
        stage.measure_sync()?;
        for (manner, pair) in &mut pairs {
            let (about, rounds) = (kind.about, volume.rounds);
            progress.say(format!("{about}, {}, {manner}: round {} of {rounds}", stage.place, round + 1));
            let own_first = round % 2 == 0;
            if own_first {
                pair.own.add(stage.look_up(*manner, volume.time)?);
            }
            let asked = tally.look_up(&peer, *manner, volume.time);
            pair.peer.add(asked.with_context(|| peer.complaints())?);
            if !own_first {
                pair.own.add(stage.look_up(*manner, volume.time)?);
            }
        }
    }
    peer.prove()?;
    Ok(pairs)
}

impl ServiceVsPeer {
    /// Returns the peer's result.
    ///
    /// Includes the ratios of the service to it, and the share of its database in its CPU time.
    fn findings(&self, kind: &PeerKind, manner: LoadShape, place: &str) -> Result<ScenarioResults> {
        let name = format!("{}_{place}_{}", kind.name, manner.name());
        let about = format!("{}, {place}, {manner}", kind.about);
        let line = self.peer.line(format!("peer_{name}"), about.clone())?;
        let ratios = self.own.ratios(&self.peer, format!("voight_to_{name}"))?.named("Voight to it");
        let database = || self.peer.database(&line.name, &about);
        let is_told = kind.has_server() && manner.connections == WARMING.connections;
        Ok(ScenarioResults {
            figures: is_told.then(database).transpose()?.into_iter().collect(),
            remarks: self.peer.saturation_warning(&about)?.into_iter().collect(),
            loads: vec![LoadResult { ratios: Some(ratios), ..line }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::measurement::Measurement;
    use super::*;
    use crate::report::flat;

    #[test]
    fn a_peer_is_called_the_same_everywhere_and_the_service_is_held_against_it() {
        let reading = |per_second| Measurement::new(per_second, [1.0, 2.0, 3.0], 4.0);
        let mut pair = ServiceVsPeer::default();
        pair.own.add(reading(300.0));
        pair.peer.add(reading(100.0));
        let found = pair.findings(&PEERS[0], LoadShape { connections: 64, idempotent: true }, "disk").unwrap();
        assert_eq!(found.loads[0].about, "Express + PostgreSQL, disk, 64 connections");
        let found = flat(&found);
        let expected = [
            ("peer_express_disk_c64_per_s", 100),
            ("peer_express_disk_c64_p50_us", 1),
            ("peer_express_disk_c64_p99_us", 2),
            ("peer_express_disk_c64_cpu_us", 4),
            ("peer_express_disk_c64_database_cpu_us", 2),
            ("ratio_voight_to_express_disk_c64", 3),
            ("cpu_ratio_voight_to_express_disk_c64", 1),
        ];
        for (name, value) in expected {
            assert_eq!(found[name], value, "{name} in {found}");
        }
    }
}
