//! Results of `cargo xtask detect bots`: sessions against the running service's real window.

use crate::stats::SampleCluster;
use crate::table::{number, table};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use voight_tests::results::{SourceDigests, SourceTree};

/// Parts of the bot corpus result file that the page shows.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct BotCorpusResult {
    pub(super) date: String,
    pub(super) families: Vec<BotFamily>,
    skipped: Vec<Skipped>,
}

/// Family that used the window.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct BotFamily {
    pub(super) name: String,
    pub(super) kind: String,
    about: String,
    commit: String,
    #[serde(default)]
    sources: SourceDigests,
    pub(super) sessions: usize,
    pub(super) completed: usize,
    pub(super) flagged: usize,
    pub(super) flagged_without_time_and_fraction: usize,
    pub(super) rejected: usize,
    /// Number of sessions that were flagged or rejected.
    pub(super) stopped: usize,
    broken: usize,
    rules: BTreeMap<String, usize>,
    /// Sessions in which the behaviour model had enough movements, if they were counted.
    pub(super) modelled: Option<usize>,
    pub(super) botd: Option<usize>,
    pub(super) isbot: Option<usize>,
    pub(super) median_cpu_seconds: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
struct Skipped {
    name: String,
    reason: String,
}

/// Rules that link by movements; at most one of them fires in a session.
pub(super) const BY_MOVEMENT: &[&str] = &["trace_reuse", "trace_at_once"];
/// Rule that links by the device.
pub(super) const BY_DEVICE: &[&str] = &["device_cluster"];

impl BotFamily {
    /// Returns the sessions that `rules` linked with an earlier session of the family. The first session cannot be linked.
    pub(super) fn linked(&self, rules: &[&str]) -> SampleCluster {
        let hits = rules.iter().filter_map(|rule| self.rules.get(*rule)).sum();
        SampleCluster {
            n: self.sessions.saturating_sub(1),
            hits,
        }
    }
}

impl BotCorpusResult {
    /// Reads the result from a file; empty if it does not exist.
    pub(super) fn read(path: &Path) -> Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)
                .with_context(|| format!("{} is not a result of the bot corpus", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// Returns the families of a kind.
    pub(super) fn families_of_kind<'z>(
        &'z self,
        kind: &'z str,
    ) -> impl Iterator<Item = &'z BotFamily> {
        self.families
            .iter()
            .filter(move |family| family.kind == kind)
    }

    /// Returns a row for each family, and the skipped families.
    pub(super) fn table(&self, source_tree: &SourceTree) -> String {
        if self.families.is_empty() {
            return "Not measured yet: `cargo xtask detect bots` writes the result.\n".to_owned();
        }
        let rows = self.families.iter().map(|family| {
            let BotFamily {
                sessions,
                completed,
                flagged,
                rejected,
                broken,
                ..
            } = family;
            let counts = [sessions, completed, flagged, rejected, broken].map(ToString::to_string);
            let [sessions, completed, flagged, rejected, broken] = counts;
            let without = family.flagged_without_time_and_fraction.to_string();
            let BotFamily {
                name,
                about,
                commit,
                sources,
                ..
            } = family.clone();
            let commit = commit + &source_tree.stale_mark(&sources);
            [
                name, about, sessions, completed, flagged, without, rejected, broken, commit,
            ]
        });
        let head = [
            "family",
            "description",
            "sessions",
            "completed",
            "flagged",
            "without time and fraction",
            "rejected",
            "broken",
            "revision",
        ];
        let skip_lines = self
            .skipped
            .iter()
            .map(|Skipped { name, reason }| format!("- Skipped: `{name}`, {reason}"));
        let skip_list: Vec<String> = skip_lines.collect();
        let list = if skip_list.is_empty() {
            String::new()
        } else {
            format!("\n{}\n", skip_list.join("\n"))
        };
        table(head, rows) + &list
    }

    /// Describes the forger's results: sessions that pass, and processor time for each of them.
    pub(super) fn forger(&self) -> String {
        let describe = |family: &BotFamily| {
            let passed_sessions = family.sessions.saturating_sub(family.stopped);
            format!(
                "{} of {} pass, {} CPU-s each",
                passed_sessions,
                family.sessions,
                number(family.median_cpu_seconds)
            )
        };
        self.families_of_kind("forger")
            .map(describe)
            .collect::<Vec<_>>()
            .join("; ")
    }
}
