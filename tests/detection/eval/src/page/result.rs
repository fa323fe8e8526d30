//! Published results of a corpus.

use crate::evaluate::EvaluationResults;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use voight_tests::results::{self, SourceDigests};

/// Measurement, with its origin.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CorpusResult {
    /// Date, UTC.
    pub date: String,
    /// Commit of the sources.
    pub commit: String,
    /// Digests of the measured sources; empty in old results.
    #[serde(default)]
    pub sources: SourceDigests,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Measured results.
    pub measured: EvaluationResults,
}

impl CorpusResult {
    /// Reads the result from a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| {
            format!(
                "cannot read {}; `cargo xtask detect report` writes it",
                path.display()
            )
        })?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} is not an evaluation result", path.display()))
    }

    /// Writes the result to a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        results::write(path, self).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Describes the origin in one sentence.
    pub(super) fn origin(&self, stale_mark: &str) -> String {
        let Self {
            date,
            commit,
            seed,
            measured,
            ..
        } = self;
        let model = measured.evaluation.model;
        let policy = measured.evaluation.policy;
        format!(
            "Measured on {date}, commit {commit}, seed {seed}, model version {model}, rules version {policy}{stale_mark}.\n"
        )
    }
}
