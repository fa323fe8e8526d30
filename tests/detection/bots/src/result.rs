//! Result file of a run.

mod family;

pub use self::family::{FamilyResult, RunInfo};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use voight_tests::results;

/// Results by family. A run replaces those of the families that it ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BotCorpusResult {
    /// Date of the last run, UTC.
    pub date: String,
    /// Number of cores of the machine.
    pub cores: usize,
    /// Versions of browsers and drivers.
    pub versions: BTreeMap<String, String>,
    /// Families that were run.
    pub families: Vec<FamilyResult>,
    /// Families that could not be run.
    pub skipped: Vec<Skipped>,
}

/// Family that could not be run, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Name of the family.
    pub name: String,
    /// Missing requirement.
    pub reason: String,
}

impl BotCorpusResult {
    /// Reads the result from the file at `path`; empty if it does not exist.
    pub fn read(path: &Path) -> Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| {
                format!(
                    "{} is not a result of the bot corpus; delete it, or name another file with --out",
                    path.display()
                )
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// Replaces the last result of a family.
    pub fn replace(&mut self, family: FamilyResult) {
        self.remove_family(&family.name);
        self.families.push(family);
    }

    /// Records that a family could not be run.
    pub fn skip(&mut self, name: &str, reason: String) {
        self.remove_family(name);
        self.skipped.push(Skipped {
            name: name.to_owned(),
            reason,
        });
    }

    fn remove_family(&mut self, name: &str) {
        self.families.retain(|family| family.name != name);
        self.skipped.retain(|family| family.name != name);
    }

    /// Sorts families in the order of the list.
    pub fn sort(&mut self) {
        let position = |name: &str| crate::families::all().position(|family| family.name == name);
        self.families.sort_by_key(|family| position(&family.name));
        self.skipped.sort_by_key(|family| position(&family.name));
    }

    /// Writes the result to `path` atomically.
    pub fn write(&self, path: &Path) -> Result<()> {
        results::write(path, self).with_context(|| format!("{} cannot be written", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::{BotCorpusResult, FamilyResult, RunInfo};
    use crate::families::all;
    use voight_tests::results::SourceDigests;

    fn result() -> FamilyResult {
        FamilyResult::from_sessions(
            all().next().unwrap(),
            RunInfo {
                date: "2026-11-21",
                commit: "0123abc",
                sources: &SourceDigests::new(),
                collection: "4567def",
                load: 0.5,
            },
            &[],
        )
    }

    #[test]
    fn new_family_result_replaces_the_old() {
        let mut result_file = BotCorpusResult::default();
        result_file.skip(&result().name, "no node".into());
        result_file.replace(result());
        result_file.replace(result());
        assert_eq!(
            (result_file.families.len(), result_file.skipped.len()),
            (1, 0)
        );
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot-corpus.json");
        result_file.write(&path).unwrap();
        assert_eq!(BotCorpusResult::read(&path).unwrap(), result_file);
        std::fs::write(&path, "{}}").unwrap();
        assert!(
            BotCorpusResult::read(&path)
                .unwrap_err()
                .to_string()
                .contains("--out")
        );
    }
}
