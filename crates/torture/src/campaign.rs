//! Repeats a row until it has its volume.

use crate::rig::{Backend, Harness};
use crate::row::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use voight_contract::message_of;

/// A row on one subject, from one seed.
pub struct ScenarioRun<'a> {
    /// The row.
    pub row: &'a Scenario,
    /// What it is run on.
    pub subject: Backend,
    /// From which every random number of it follows.
    pub seed: u64,
    /// Programs it may start.
    pub rig: &'a Harness,
}

impl ScenarioRun<'_> {
    /// Runs the cycle of this number, of a volume that lacks so many units.
    pub fn cycle(&self, number: u64, wanted: u64) -> Result<CycleResult> {
        let folder = tempfile::Builder::new().prefix("voight-torture-").tempdir().context("no temporary folder")?;
        let seed = self.seed_of(number);
        let cycle = ScenarioCycle { seed, subject: self.subject, wanted, rig: self.rig, folder: folder.path() };
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.row.run)(&cycle)));
        outcome.unwrap_or_else(|panic| Err(anyhow::anyhow!("panicked: {}", message_of(panic.as_ref()))))
    }

    /// Seeds of neighbours have nothing in common.
    fn seed_of(&self, number: u64) -> u64 {
        let mut random = fastrand::Rng::with_seed(self.seed ^ number.rotate_left(32));
        random.u64(..)
    }

    /// Runs cycles until they have done `units`; an error names the cycle.
    pub fn run(&self, units: u64) -> Result<CycleResult> {
        let (mut tally, mut number) = (CycleResult::default(), 0);
        while tally.units < units {
            tally.add(&self.cycle(number, units - tally.units).with_context(|| self.replay(number))?);
            number += 1;
        }
        Ok(tally)
    }

    /// The command that runs one cycle again.
    pub fn replay(&self, number: u64) -> String {
        let Self { row, subject, seed, .. } = self;
        format!("cargo xtask torture {} --on {subject} --seed {seed} --cycle {number}", row.name)
    }
}

/// When a campaign has done enough.
#[derive(Debug, Clone, Copy)]
pub struct TimeBudget {
    started: Instant,
    time: Option<Duration>,
}

impl TimeBudget {
    /// From now on, and so long if that is said.
    #[expect(clippy::disallowed_methods, reason = "how long a campaign may take is told by the clock on the wall")]
    pub fn start(time: Option<Duration>) -> Self {
        Self { started: Instant::now(), time }
    }

    /// Whether the time is used up.
    pub fn is_spent(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// How long it has taken, in milliseconds.
    pub fn millis(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// How long it has taken.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
