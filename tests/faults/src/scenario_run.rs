//! Repetition of a scenario until its volume is reached.

use crate::harness::{Backend, Harness};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::time_budget::TimeBudget;
use anyhow::{Context, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use voight_contract::message_of;

/// Run of a scenario on one backend, from one seed.
pub struct ScenarioRun<'a> {
    /// Scenario.
    pub scenario: &'a Scenario,
    /// Backend on which it runs.
    pub backend: Backend,
    /// Seed of all its random numbers.
    pub seed: u64,
    /// Time budget of the run.
    pub budget: TimeBudget,
    /// Programs that it may start.
    pub harness: &'a Harness,
}

impl ScenarioRun<'_> {
    /// Runs the cycle `number`; the remaining volume is in units.
    pub fn cycle(&self, number: u64, remaining: u64) -> Result<CycleResult> {
        let dir = tempfile::Builder::new()
            .prefix("voight-faults-")
            .tempdir()
            .context("cannot create a temporary directory")?;
        let seed = self.seed_of(number);
        let cycle = ScenarioCycle {
            seed,
            backend: self.backend,
            remaining,
            budget: self.budget,
            harness: self.harness,
            dir: dir.path(),
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.scenario.run)(&cycle)));
        outcome.unwrap_or_else(|panic| {
            Err(anyhow::anyhow!("panicked: {}", message_of(panic.as_ref())))
        })
    }

    /// Derives the seed of a cycle, so that adjacent cycles are unrelated.
    fn seed_of(&self, number: u64) -> u64 {
        let mut random = fastrand::Rng::with_seed(self.seed ^ number.rotate_left(32));
        random.u64(..)
    }

    /// Runs cycles until their volume is reached. An error contains the command that repeats the cycle.
    pub fn run(&self, volume: u64) -> Result<CycleResult> {
        let mut result = CycleResult::default();
        let mut number = 0;
        while result.volume < volume {
            result.add(
                &self
                    .cycle(number, volume - result.volume)
                    .with_context(|| self.replay(number))?,
            );
            number += 1;
        }
        Ok(result)
    }

    /// Returns the command that repeats one cycle.
    pub fn replay(&self, number: u64) -> String {
        let Self {
            scenario,
            backend,
            seed,
            ..
        } = self;
        format!(
            "cargo xtask faults {} --backend {backend} --seed {seed} --cycle {number}",
            scenario.name
        )
    }
}
