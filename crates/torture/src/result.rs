//! What a campaign came to, as it is written to a file: by whom, when, on what, with which command.

use crate::rig::Backend;
use crate::row::CycleResult;
use crate::rows::SCENARIOS;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use voight_tests::results::{self, Machine};

/// The result of a campaign, of one row on one subject. Every figure that is published comes from such a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioResult {
    /// The row.
    pub row: String,
    /// What it was run on.
    pub subject: Backend,
    /// The command that repeats it.
    pub command: String,
    /// From which every random number follows.
    pub seed: u64,
    /// The revision of the sources.
    pub commit: String,
    /// The day it was last worked on, UTC.
    pub date: String,
    /// What it was run on.
    pub machine: Machine,
    /// Cycles finished. The next run goes on after them.
    pub cycles: u64,
    /// What is counted, for example `kills`.
    pub unit: String,
    /// Units done.
    pub units: u64,
    /// What was acknowledged and lost, or answered wrong.
    pub lost: u64,
    /// What else was counted.
    pub seen: BTreeMap<String, u64>,
    /// The most that was measured.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub peaks: BTreeMap<String, u64>,
    /// Seconds of work.
    pub seconds: u64,
    /// The seeds of cycles that broke a promise, and how.
    pub failures: Vec<FailedCycle>,
    /// Of a run that broke a promise, what was wrong and which commit has fixed it; written by hand into a published result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
}

/// A cycle that broke a promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCycle {
    /// Its number.
    pub cycle: u64,
    /// What was broken.
    pub what: String,
    /// The command that runs it again.
    pub replay: String,
}

impl ScenarioResult {
    /// Returns `true` if the run broke a promise: a cycle failed, or something is lost that the row does not have to lose.
    pub fn is_broken(&self) -> bool {
        let has_to_lose = SCENARIOS.iter().any(|row| row.name == self.row && row.expects_loss);
        !self.failures.is_empty() || self.lost > 0 && !has_to_lose
    }

    /// The file name of a result of this run that no other run overwrites.
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

    /// The result in the file at `path`; `None` if there is none.
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

    /// Writes the result to `path`, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        results::write(path, self).with_context(|| format!("{} cannot be written", path.display()))
    }
}
