//! Result of a run, as it is written to a file: author, date, machine and command.

use crate::harness::Backend;
use crate::scenario::CycleResult;
use crate::scenarios::SCENARIOS;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use voight_tests::results::{self, Machine};

/// Result of a run of one scenario on one backend. Every published figure is read from such a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioResult {
    /// Name of the scenario.
    pub row: String,
    /// Backend on which it ran.
    pub subject: Backend,
    /// Command that repeats it.
    pub command: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Commit of the sources.
    pub commit: String,
    /// Date of the last cycle, UTC.
    pub date: String,
    /// Machine on which it ran.
    pub machine: Machine,
    /// Number of finished cycles. The next run resumes after them.
    pub cycles: u64,
    /// Counted unit, for example `kills`.
    pub unit: String,
    /// Number of units done.
    pub units: u64,
    /// Number of acknowledged writes that were lost, and of wrong answers.
    pub lost: u64,
    /// Other counters.
    pub seen: BTreeMap<String, u64>,
    /// Maxima of measurements.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub peaks: BTreeMap<String, u64>,
    /// Seconds of work.
    pub seconds: u64,
    /// Cycles that broke a promise.
    pub failures: Vec<FailedCycle>,
    /// Cause of a broken promise and the commit of the fix; added by hand to a published result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
}

/// Cycle that broke a promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCycle {
    /// Number of the cycle.
    pub cycle: u64,
    /// Description of the broken promise.
    pub what: String,
    /// Command that repeats the cycle.
    pub replay: String,
}

impl ScenarioResult {
    /// Returns `true` if the run broke a promise.
    ///
    /// This is a failed cycle, or a loss in a scenario that does not expect one.
    pub fn is_broken(&self) -> bool {
        let has_to_lose = SCENARIOS.iter().any(|row| row.name == self.row && row.expects_loss);
        !self.failures.is_empty() || self.lost > 0 && !has_to_lose
    }

    /// Returns a file name for the result that no other run overwrites.
    pub fn own_name(&self) -> String {
        let Self { row, subject, date, commit, seed, cycles, .. } = self;
        format!("{row}.{subject}.broken-{date}-{commit}-{seed}-{cycles}.json")
    }

    /// Adds a cycle that kept every promise.
    pub fn add(&mut self, tally: &CycleResult) {
        self.cycles += 1;
        self.units += tally.units;
        self.lost += tally.lost;
        for (what, more) in &tally.seen {
            *self.seen.entry(what.clone()).or_default() += more;
        }
        for (what, value) in &tally.peaks {
            let peak = self.peaks.entry(what.clone()).or_default();
            *peak = (*value).max(*peak);
        }
    }

    /// Reads the result from the file at `path`; `None` if it does not exist.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        match fs::read_to_string(path) {
            Ok(text) => {
                let wrong = || format!("{} holds no result; delete it, or run with --fresh", path.display());
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
