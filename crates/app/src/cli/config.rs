//! `voight config`.

use super::invocation::Invocation;
use crate::config::{ConfigEntry, Loaded, LocatedDiagnostic};
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use clap::Subcommand;
use serde::Serialize;

/// The configuration.
#[derive(Debug, Clone, Copy, Subcommand)]
pub(super) enum ConfigCommand {
    /// Say whether the configuration is sound, and what is wrong with it
    Check,
    /// Show every key with the value in force and where it comes from; secrets are no part of it
    Show,
}

#[derive(Serialize)]
struct ConfigReport {
    ok: bool,
    problems: Vec<ConfigProblem>,
    /// What is sound, but should be known.
    notes: Vec<ConfigProblem>,
}

#[derive(Serialize)]
struct ConfigProblem {
    file: Option<String>,
    line: Option<usize>,
    message: String,
}

#[derive(Serialize)]
struct ConfigEntryView {
    key: String,
    value: String,
    source: String,
}

impl ConfigCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Check => check(invocation),
            Self::Show => show(invocation),
        }
    }
}

fn check(invocation: &Invocation) -> Result<(), CommandError> {
    let (problems, notes) = match invocation.load(Vec::new()) {
        Ok(Loaded { notes, .. }) => (Vec::new(), notes),
        Err(problems) => (problems.0, Vec::new()),
    };
    let lines = if problems.is_empty() { sound(&notes) } else { lines(&problems) };
    let found = |messages: &[LocatedDiagnostic]| messages.iter().map(ConfigProblem::from).collect();
    let checked = ConfigReport { ok: problems.is_empty(), problems: found(&problems), notes: found(&notes) };
    invocation.output.data(&checked, |_| lines.join("\n"))?;
    match problems.len() {
        0 => Ok(()),
        1 => Err(CommandError::new(Exit::Configuration, "the configuration has a problem, named above")),
        many => {
            Err(CommandError::new(Exit::Configuration, format!("the configuration has {many} problems, named above")))
        }
    }
}

fn sound(notes: &[LocatedDiagnostic]) -> Vec<String> {
    let notes = lines(notes).into_iter().map(|note| format!("note: {note}"));
    std::iter::once("ok".to_owned()).chain(notes).collect()
}

fn lines(messages: &[LocatedDiagnostic]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

fn show(invocation: &Invocation) -> Result<(), CommandError> {
    let entries: Vec<ConfigEntryView> =
        invocation.load(Vec::new())?.entries.iter().map(ConfigEntryView::from).collect();
    invocation.output.data(&entries, |entries| {
        let mut table = Table::new(["KEY", "VALUE", "SOURCE"]);
        for ConfigEntryView { key, value, source } in entries {
            table.row([key, value, source]);
        }
        table
    })
}

impl From<&LocatedDiagnostic> for ConfigProblem {
    fn from(message: &LocatedDiagnostic) -> Self {
        let file = message.file.as_ref().map(|file| file.display().to_string());
        Self { file, line: message.line, message: message.message.clone() }
    }
}

impl From<&ConfigEntry> for ConfigEntryView {
    fn from(entry: &ConfigEntry) -> Self {
        Self { key: entry.key.clone(), value: entry.value.clone(), source: entry.source.to_string() }
    }
}
