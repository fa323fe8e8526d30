//! Result file of a run, with its command, commit, date and machine.

use crate::harness::Backend;
use crate::scenario::{CycleResult, Inconclusive};
use crate::scenarios::SCENARIOS;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use voight_tests::results::{self, Machine, SourceDigests};

/// Result of a run of one scenario on one backend. Every published metric is read from such a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioResult {
    /// Name of the scenario.
    pub scenario: String,
    /// Backend on which it ran.
    pub backend: Backend,
    /// Command that repeats it.
    pub command: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Commit of the sources.
    pub commit: String,
    /// Digests of the sources that it tries; empty in old results.
    #[serde(default)]
    pub sources: SourceDigests,
    /// Date of the last cycle, UTC.
    pub date: String,
    /// Machine on which it ran.
    pub machine: Machine,
    /// Number of finished cycles. The next run resumes after them.
    pub cycles: u64,
    /// Counted unit, for example `kills`.
    pub unit: String,
    /// Volume that was done, in units.
    pub volume: u64,
    /// Number of lost acknowledged writes and wrong responses.
    pub lost: u64,
    /// Other counters, by name.
    pub counters: BTreeMap<String, u64>,
    /// Maxima of measurements, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub maxima: BTreeMap<String, u64>,
    /// Seconds of work.
    pub seconds: u64,
    /// Cycles that ended with an error.
    pub failures: Vec<FailedCycle>,
    /// Cause of a broken promise and the commit of the fix; added by hand to a published result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
}

/// Outcome of a cycle that ended with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailedOutcome {
    /// A promise was broken.
    Broken,
    /// Too little was tried to tell, for example on a busy machine.
    Inconclusive,
}

impl FailedOutcome {
    /// Returns the outcome of an error.
    pub fn from_error(error: &anyhow::Error) -> Self {
        if error.is::<Inconclusive>() {
            Self::Inconclusive
        } else {
            Self::Broken
        }
    }
}

impl fmt::Display for FailedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "broken",
            Self::Inconclusive => "inconclusive",
        })
    }
}

/// Cycle that ended with an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCycle {
    /// Number of the cycle.
    pub cycle: u64,
    /// Outcome: a broken promise, or an inconclusive cycle.
    pub outcome: FailedOutcome,
    /// Error message.
    pub error: String,
    /// Command that repeats the cycle.
    pub replay: String,
}

impl ScenarioResult {
    /// Returns `true` if the run broke a promise.
    ///
    /// This is a broken cycle, or a loss in a scenario that does not expect one.
    pub fn is_broken(&self) -> bool {
        let expects_loss = SCENARIOS
            .iter()
            .any(|scenario| scenario.name == self.scenario && scenario.expects_loss);
        let is_broken = |failed: &FailedCycle| failed.outcome == FailedOutcome::Broken;
        self.failures.iter().any(is_broken) || self.lost > 0 && !expects_loss
    }

    /// Returns a file name for the result that no other run overwrites.
    pub fn own_name(&self) -> String {
        let Self {
            scenario,
            backend,
            date,
            commit,
            seed,
            cycles,
            ..
        } = self;
        format!("{scenario}.{backend}.broken-{date}-{commit}-{seed}-{cycles}.json")
    }

    /// Adds a cycle that broke no promise.
    pub fn add(&mut self, cycle: &CycleResult) {
        self.cycles += 1;
        self.volume += cycle.volume;
        self.lost += cycle.lost;
        for (name, count) in &cycle.counters {
            *self.counters.entry(name.clone()).or_default() += count;
        }
        for (name, value) in &cycle.maxima {
            let maximum = self.maxima.entry(name.clone()).or_default();
            *maximum = (*value).max(*maximum);
        }
    }

    /// Reads the result from the file at `path`; `None` if it does not exist.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        match fs::read_to_string(path) {
            Ok(text) => {
                let wrong = || {
                    format!(
                        "{} is not a result; delete it, or run with --restart",
                        path.display()
                    )
                };
                serde_json::from_str(&text).map(Some).with_context(wrong)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// Writes the result to `path` atomically.
    pub fn write(&self, path: &Path) -> Result<()> {
        results::write(path, self).with_context(|| format!("{} cannot be written", path.display()))
    }
}
