//! Harness for lookup scenarios: the service, its baseline, and the ledger verifier.

use super::BenchContext;
use super::ledger_verifier::LedgerVerifier;
use super::measurement::Measurement;
use crate::load::{LoadClient, Rate, RepeatedRequest, run_closed_loop};
use crate::machine::{LIMIT, StorageLocation, syncs};
use crate::report::{Metric, Quartiles, ScenarioResults};
use crate::servers::{Baseline, BillableServer, LoadShape, STATIC, Service};
use anyhow::{Context, Result};
use std::thread;
use std::time::Duration;

/// Number of looked-up addresses, and of bots among them.
pub(super) const ADDRESSES: u64 = 100_000;
pub(super) const BOTS: u64 = 1_000;
/// Number of syncs per measurement of the disk.
const SYNCS: u32 = 100;
/// Duration of the warm-up before each measurement.
pub(super) const WARM_UP: Duration = Duration::from_millis(500);
/// Number of bytes of the response to a lookup.
const ANSWER_BYTES: usize = 456;
/// Number of rows of a large ledger that are written with an idempotency key.
const KEYED_ROWS: u64 = 1_000_000;
pub(super) const WARMING: LoadShape = LoadShape {
    connections: 64,
    idempotent: true,
};

/// Service and baseline at one storage location.
pub(super) struct LookupHarness<'a> {
    pub(super) bench: &'a BenchContext,
    /// Name of the location in the JSON.
    pub(super) location: &'static str,
    pub(super) service: Service,
    baseline: Baseline,
    echo: Baseline,
    ledger_verifier: LedgerVerifier,
    /// Number of addresses with a verdict.
    verdicts: u64,
    /// Sync latencies of the disk.
    syncs: Vec<f64>,
}

impl<'a> LookupHarness<'a> {
    /// Starts both servers and warms them up.
    pub(super) fn set(bench: &'a BenchContext, location: &StorageLocation) -> Result<Self> {
        let service = bench.service(location)?;
        service.seed_verdicts(0..BOTS)?;
        let ledger_verifier = LedgerVerifier::begin(&service, ADDRESSES)?;
        let baseline = bench.baseline()?;
        let echo = Baseline::start_echo(ANSWER_BYTES, bench.cores, &bench.cleanup)?;
        let mut harness = Self {
            bench,
            location: location.kind.as_str(),
            service,
            baseline,
            echo,
            ledger_verifier,
            verdicts: BOTS,
            syncs: Vec::new(),
        };
        harness.look_up(WARMING, WARM_UP)?;
        harness.measure_baseline(WARMING.connections, WARM_UP)?;
        Ok(harness)
    }

    /// Looks up for `time`.
    pub(super) fn look_up(&mut self, load_shape: LoadShape, time: Duration) -> Result<Measurement> {
        self.ledger_verifier
            .look_up(&self.service, load_shape, time)
    }

    /// Looks up at this rate for `time`.
    pub(super) fn look_up_at(
        &mut self,
        rate: Rate,
        load_shape: LoadShape,
        time: Duration,
    ) -> Result<Measurement> {
        self.ledger_verifier
            .look_up_at(&self.service, rate, load_shape, time)
    }

    /// Creates verdicts until their number is `verdicts`; later loads look up all of these addresses.
    pub(super) fn seed_verdicts(&mut self, verdicts: u64) -> Result<()> {
        self.service.seed_verdicts(self.verdicts..verdicts)?;
        (self.verdicts, self.ledger_verifier.addresses) = (verdicts, verdicts);
        Ok(())
    }

    /// Kills the service under load, and restarts it; returns the time until it is ready.
    pub(super) fn crash(&mut self) -> Result<Duration> {
        let target = self.service.target();
        let clients = self.ledger_verifier.lookups(&self.service, WARMING);
        // Its connections are closed by the kill, which is not an error here.
        let load = thread::spawn(move || run_closed_loop(target, clients, WARM_UP * 2).map(drop));
        thread::sleep(WARM_UP);
        let time = self.service.crash(&self.bench.cleanup)?;
        let _ = load.join();
        self.ledger_verifier.resume(&self.service)?;
        Ok(time)
    }

    /// Looks up until the ledger has `rows` rows. At most a million of them have an idempotency record: such a record is
    /// retained for two days, and a row permanently.
    pub(super) fn fill(&mut self, rows: u64) -> Result<()> {
        while self.ledger_verifier.rows() < rows {
            self.bench
                .progress
                .say(format!("{} of {rows} rows", self.ledger_verifier.rows()));
            let idempotent = self.ledger_verifier.rows() < KEYED_ROWS;
            self.look_up(
                LoadShape {
                    connections: 256,
                    idempotent,
                },
                Duration::from_secs(1),
            )?;
        }
        Ok(())
    }

    /// Measures the static handler for `time`.
    pub(super) fn measure_baseline(
        &self,
        connections: usize,
        time: Duration,
    ) -> Result<Measurement> {
        let load = run_closed_loop(
            self.baseline.target(),
            RepeatedRequest::new(connections, STATIC),
            time,
        )?;
        Ok(Measurement::from_measured(&load))
    }

    /// Measures the epoll echo for `time`, with requests of as many bytes as lookups.
    pub(super) fn measure_echo(
        &self,
        load_shape: LoadShape,
        time: Duration,
    ) -> Result<Measurement> {
        let mut request = Vec::new();
        for lookups in &mut self.ledger_verifier.lookups(&self.service, load_shape)[..1] {
            lookups.write_request(&mut request);
        }
        let requests = RepeatedRequest::new(load_shape.connections, str::from_utf8(&request)?);
        Ok(Measurement::from_measured(&run_closed_loop(
            self.echo.target(),
            requests,
            time,
        )?))
    }

    /// Measures the sync latency of the disk.
    pub(super) fn measure_sync(&mut self) -> Result<()> {
        self.syncs.extend(syncs(self.service.dir(), SYNCS)?);
        Ok(())
    }

    /// Verifies the hash chain of the whole ledger.
    pub(super) fn verify_ledger(&self) -> Result<()> {
        self.bench.progress.say("verifying the chain of the ledger");
        self.service
            .command(&["audit", "verify"])
            .context("the run is void")
            .map(drop)
    }

    /// Verifies the whole ledger, and reports the sync latency of the disk during the run.
    pub(super) fn close(self) -> Result<ScenarioResults> {
        self.verify_ledger()?;
        let mut results = ScenarioResults::default();
        if let Some(quartiles) = Quartiles::from_rounds(self.syncs) {
            let (name, about) = match self.location {
                "disk" => (
                    "fdatasync_p50_us".to_owned(),
                    "fdatasync on the disk, µs".to_owned(),
                ),
                location => (
                    format!("fdatasync_{location}_p50_us"),
                    format!("fdatasync, {location}, µs"),
                ),
            };
            if quartiles.median > LIMIT {
                results.notes.push(format!(
                    "The median fdatasync on the disk took {:.0} µs: the disk limits the lookups on it.",
                    quartiles.median
                ));
            }
            results.metrics.push(Metric::new(name, about, quartiles));
        }
        Ok(results)
    }
}
