//! Where lookups are measured: the service, its baseline, and the ledger that is held against the answers.

use super::BenchContext;
use super::pair::Measurement;
use super::tally::LedgerVerifier;
use crate::load::{Rate, RepeatedRequest, run_closed_loop};
use crate::machine::{LIMIT, StorageLocation, syncs};
use crate::report::{Metric, Quartiles, ScenarioResults};
use crate::subject::{Baseline, BillableServer, STATIC, Service};
use anyhow::{Context, Result};
use std::fmt;
use std::thread;
use std::time::Duration;

/// How many addresses are asked about, and how many of them are bots.
pub(super) const ADDRESSES: u64 = 100_000;
pub(super) const BOTS: u64 = 1_000;
/// How often the disk is asked to make a block durable, at a time.
const SYNCS: u32 = 100;
/// Nothing is measured before this time, so that nothing begins cold.
pub(super) const WARM_UP: Duration = Duration::from_millis(500);
/// The rows of a large ledger that have been made with an idempotency key.
const CLAIMED: u64 = 1_000_000;
pub(super) const WARMING: LoadShape = LoadShape { connections: 64, idempotent: true };

/// Both servers at one place.
pub(super) struct LookupHarness<'a> {
    pub(super) bench: &'a BenchContext,
    /// The place, as the JSON has it.
    pub(super) place: &'static str,
    pub(super) service: Service,
    baseline: Baseline,
    tally: LedgerVerifier,
    /// On how many of them there is a verdict.
    verdicts: u64,
    /// How long the disk took, each time that it was asked.
    syncs: Vec<f64>,
}

/// How lookups are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoadShape {
    pub(super) connections: usize,
    /// Whether each has an idempotency key, which is one more promise that the service has to keep.
    pub(super) idempotent: bool,
}

impl LoadShape {
    /// As the JSON has it.
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
    /// Starts both, and warms them up.
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

    /// Looks up for so long.
    pub(super) fn look_up(&mut self, manner: LoadShape, time: Duration) -> Result<Measurement> {
        self.tally.look_up(&self.service, manner, time)
    }

    /// Looks up at this rate for so long.
    pub(super) fn look_up_at(&mut self, rate: Rate, manner: LoadShape, time: Duration) -> Result<Measurement> {
        self.tally.look_up_at(&self.service, rate, manner, time)
    }

    /// Decides on addresses until there are so many verdicts, and asks about all of them from now on.
    pub(super) fn seed_verdicts(&mut self, verdicts: u64) -> Result<()> {
        self.service.decide(self.verdicts..verdicts)?;
        (self.verdicts, self.tally.addresses) = (verdicts, verdicts);
        Ok(())
    }

    /// Kills the service in the middle of its work, and starts it again; how long that took until it was ready.
    pub(super) fn crash(&mut self) -> Result<Duration> {
        let (target, askers) = (self.service.target(), self.tally.lookups(&self.service, WARMING));
        // Its connections end in the middle of it, which is no error here.
        let load = thread::spawn(move || run_closed_loop(target, askers, WARM_UP * 2).map(drop));
        thread::sleep(WARM_UP);
        let time = self.service.crash(&self.bench.cleanup)?;
        let _ = load.join();
        self.tally.resume(&self.service)?;
        Ok(time)
    }

    /// Looks up until the ledger has so many rows. At most a million of them have a claim: a claim is kept for two days, and a row
    /// for ever.
    pub(super) fn fill(&mut self, rows: u64) -> Result<()> {
        while self.tally.rows() < rows {
            self.bench.progress.say(format!("{} of {rows} rows", self.tally.rows()));
            let claim = self.tally.rows() < CLAIMED;
            self.look_up(LoadShape { connections: 256, idempotent: claim }, Duration::from_secs(1))?;
        }
        Ok(())
    }

    /// Asks the static handler for so long.
    pub(super) fn measure_baseline(&self, connections: usize, time: Duration) -> Result<Measurement> {
        let measured = run_closed_loop(self.baseline.target(), RepeatedRequest::new(connections, STATIC), time)?;
        Ok(Measurement::from_measured(&measured))
    }

    /// Asks the disk how long it takes.
    pub(super) fn measure_sync(&mut self) -> Result<()> {
        self.syncs.extend(syncs(self.service.folder(), SYNCS)?);
        Ok(())
    }

    /// Proves the chain of the whole ledger.
    pub(super) fn verify_ledger(&self) -> Result<()> {
        self.bench.progress.say("proving the chain of the ledger");
        self.service.command(&["audit", "verify"]).context("the run is void").map(drop)
    }

    /// Proves the whole ledger, and says how fast the disk was meanwhile.
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
