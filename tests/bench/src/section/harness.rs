//! Harness for lookup scenarios: the service, its baseline, and the ledger verifier.

use super::BenchContext;
use super::ledger_verifier::LedgerVerifier;
use super::measurement::Measurement;
use crate::load::{Rate, RepeatedRequest, run_closed_loop};
use crate::machine::{LIMIT, StorageLocation, syncs};
use crate::report::{Metric, Quartiles, ScenarioResults};
use crate::servers::{Baseline, BillableServer, STATIC, Service};
use anyhow::{Context, Result};
use std::fmt;
use std::thread;
use std::time::Duration;

/// Number of looked-up addresses, and of the bots among them.
pub(super) const ADDRESSES: u64 = 100_000;
pub(super) const BOTS: u64 = 1_000;
/// Number of syncs per measurement of the disk.
const SYNCS: u32 = 100;
/// Duration of the warm-up before each measurement.
pub(super) const WARM_UP: Duration = Duration::from_millis(500);
/// Number of rows of a large ledger that are written with an idempotency key.
const CLAIMED: u64 = 1_000_000;
pub(super) const WARMING: LoadShape = LoadShape { connections: 64, idempotent: true };

/// Service and baseline at one storage location.
pub(super) struct LookupHarness<'a> {
    pub(super) bench: &'a BenchContext,
    /// Name of the location in the JSON.
    pub(super) place: &'static str,
    pub(super) service: Service,
    baseline: Baseline,
    tally: LedgerVerifier,
    /// Number of addresses with a verdict.
    verdicts: u64,
    /// Sync latencies of the disk.
    syncs: Vec<f64>,
}

/// Shape of a load: number of connections, and use of idempotency keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoadShape {
    pub(super) connections: usize,
    /// `true` when each lookup has an idempotency key, which the service must additionally store and check.
    pub(super) idempotent: bool,
}

impl LoadShape {
    /// Returns the name in the JSON.
    pub(super) fn name(self) -> String {
        format!("c{}{}", self.connections, if self.idempotent { "" } else { "_unclaimed" })
    }
}

impl fmt::Display for LoadShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { connections, idempotent: claim } = self;
        write!(f, "{connections} connection{}", if *connections == 1 { "" } else { "s" })?;
        if *claim { Ok(()) } else { write!(f, ", no key") }
    }
}

impl<'a> LookupHarness<'a> {
    /// Starts both servers and warms them up.
    pub(super) fn set(bench: &'a BenchContext, place: &StorageLocation) -> Result<Self> {
        let service = bench.service(place)?;
        service.decide(0..BOTS)?;
        let (tally, baseline) = (LedgerVerifier::begin(&service, ADDRESSES)?, bench.baseline()?);
        let mut stage =
            Self { bench, place: place.kind.as_str(), service, baseline, tally, verdicts: BOTS, syncs: Vec::new() };
        stage.look_up(WARMING, WARM_UP)?;
        stage.measure_baseline(WARMING.connections, WARM_UP)?;
        Ok(stage)
    }

    /// Looks up for `time`.
    pub(super) fn look_up(&mut self, manner: LoadShape, time: Duration) -> Result<Measurement> {
        self.tally.look_up(&self.service, manner, time)
    }

    /// Looks up at this rate for `time`.
    pub(super) fn look_up_at(&mut self, rate: Rate, manner: LoadShape, time: Duration) -> Result<Measurement> {
        self.tally.look_up_at(&self.service, rate, manner, time)
    }

    /// Creates verdicts until their number is `verdicts`; later loads look up all of these addresses.
    pub(super) fn seed_verdicts(&mut self, verdicts: u64) -> Result<()> {
        self.service.decide(self.verdicts..verdicts)?;
        (self.verdicts, self.tally.addresses) = (verdicts, verdicts);
        Ok(())
    }

    /// Kills the service under load, and restarts it; returns the time until it is ready.
    pub(super) fn crash(&mut self) -> Result<Duration> {
        let (target, askers) = (self.service.target(), self.tally.lookups(&self.service, WARMING));
        // Its connections are closed by the kill, which is not an error here.
        let load = thread::spawn(move || run_closed_loop(target, askers, WARM_UP * 2).map(drop));
        thread::sleep(WARM_UP);
        let time = self.service.crash(&self.bench.cleanup)?;
        let _ = load.join();
        self.tally.resume(&self.service)?;
        Ok(time)
    }

    /// Looks up until the ledger has `rows` rows. At most a million of them have an idempotency record: such a record is
    /// retained for two days, and a row permanently.
    pub(super) fn fill(&mut self, rows: u64) -> Result<()> {
        while self.tally.rows() < rows {
            self.bench.progress.say(format!("{} of {rows} rows", self.tally.rows()));
            let claim = self.tally.rows() < CLAIMED;
            self.look_up(LoadShape { connections: 256, idempotent: claim }, Duration::from_secs(1))?;
        }
        Ok(())
    }

    /// Measures the static handler for `time`.
    pub(super) fn measure_baseline(&self, connections: usize, time: Duration) -> Result<Measurement> {
        let measured = run_closed_loop(self.baseline.target(), RepeatedRequest::new(connections, STATIC), time)?;
        Ok(Measurement::from_measured(&measured))
    }

    /// Measures the sync latency of the disk.
    pub(super) fn measure_sync(&mut self) -> Result<()> {
        self.syncs.extend(syncs(self.service.folder(), SYNCS)?);
        Ok(())
    }

    /// Verifies the hash chain of the whole ledger.
    pub(super) fn verify_ledger(&self) -> Result<()> {
        self.bench.progress.say("proving the chain of the ledger");
        self.service.command(&["audit", "verify"]).context("the run is void").map(drop)
    }

    /// Verifies the whole ledger, and reports the sync latency of the disk during the run.
    pub(super) fn close(self) -> Result<ScenarioResults> {
        self.verify_ledger()?;
        let mut findings = ScenarioResults::default();
        if let Some(spread) = Quartiles::from_rounds(self.syncs) {
            let (name, about) = match self.place {
                "disk" => ("fdatasync_p50_us".to_owned(), "fdatasync on the disk, µs".to_owned()),
                place => (format!("fdatasync_{place}_p50_us"), format!("fdatasync, {place}, µs")),
            };
            if spread.median > LIMIT {
                findings.remarks.push(format!(
                    "The disk took {:.0} µs for an fdatasync in the middle: figures of lookups on it are limited by the disk.",
                    spread.median
                ));
            }
            findings.figures.push(Metric::new(name, about, spread));
        }
        Ok(findings)
    }
}
