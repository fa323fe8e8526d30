//! What was measured on a corpus, as it is published.

use crate::evaluate::EvaluationResults;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use voight_tests::results;

/// A measurement, and of what it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CorpusResult {
    /// The day, UTC.
    pub date: String,
    /// The revision of the sources.
    pub commit: String,
    /// From which all that is random followed.
    pub seed: u64,
    /// What was measured.
    pub measured: EvaluationResults,
}

impl CorpusResult {
    /// The result in a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read {}; `cargo xtask detect report` writes it", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} holds no result of an evaluation", path.display()))
    }

    /// Writes the result to a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        results::write(path, self).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Of what it is, in a sentence.
    pub(super) fn origin(&self) -> String {
        let Self { date, commit, seed, measured } = self;
        let (model, policy) = (measured.evaluation.model, measured.evaluation.policy);
        format!("Measured on {date}, commit {commit}, seed {seed}, model version {model}, rules version {policy}.\n")
    }
}
