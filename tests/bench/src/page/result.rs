//! Result file of a section.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use voight_tests::paths::repository;
use voight_tests::results::{self, Machine, SourceDigests};

/// Metrics of a section and the conditions of their measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SectionResult {
    /// Name of the section.
    pub(crate) section: String,
    /// Date in UTC.
    pub(crate) date: String,
    /// Commit of the sources.
    pub(crate) commit: String,
    /// Digests of the measured sources; empty in old results.
    #[serde(default)]
    pub(crate) sources: SourceDigests,
    /// Machine of the measurement.
    pub(crate) machine: Machine,
    /// CPU use of other programs before the run, in percent.
    pub(crate) busy_percent: f64,
    /// Metrics by name, with their quartiles.
    pub(crate) metrics: Map<String, Value>,
}

impl SectionResult {
    /// Reads the published result of this section; `None` if there is none.
    pub(crate) fn read(section: &str) -> Result<Option<Self>> {
        let path = path(section);
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .with_context(|| format!("{} is not a result", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// Publishes the result and replaces the previous one.
    pub(crate) fn write(&self) -> Result<()> {
        let path = path(&self.section);
        results::write(&path, self).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Returns a metric.
    pub(crate) fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name)?.as_f64()
    }
}

#[cfg(test)]
impl SectionResult {
    /// Creates a result with these metrics, for tests.
    pub(super) fn synthetic(section: &str, metrics: &[(&str, f64)]) -> Self {
        Self {
            section: section.to_owned(),
            date: "2026-11-22".to_owned(),
            commit: "abc".to_owned(),
            sources: SourceDigests::new(),
            machine: Machine {
                cores: 2,
                kernel: "6".to_owned(),
            },
            busy_percent: 12.0,
            metrics: metrics
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Value::from(*value)))
                .collect(),
        }
    }
}

fn path(section: &str) -> PathBuf {
    repository()
        .join("docs/results/performance/bench")
        .join(format!("{section}.json"))
}
