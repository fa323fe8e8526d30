//! `voight config`.

use super::invocation::Invocation;
use crate::config::{Entry, Loaded, Message};
use crate::exit::{Exit, Failure};
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
struct Checked {
    ok: bool,
    problems: Vec<Found>,
    /// What is sound, but should be known.
    notes: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    file: Option<String>,
    line: Option<usize>,
    message: String,
}

#[derive(Serialize)]
struct Shown {
    key: String,
    value: String,
    source: String,
}

impl ConfigCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        match self {
            Self::Check => check(invocation),
            Self::Show => show(invocation),
        }
    }
}

fn check(invocation: &Invocation) -> Result<(), Failure> {
    let (problems, notes) = match invocation.load(Vec::new()) {
        Ok(Loaded { notes, .. }) => (Vec::new(), notes),
        Err(problems) => (problems.0, Vec::new()),
    };
    let lines = if problems.is_empty() { sound(&notes) } else { lines(&problems) };
    let found = |messages: &[Message]| messages.iter().map(Found::from).collect();
    let checked = Checked { ok: problems.is_empty(), problems: found(&problems), notes: found(&notes) };
    invocation.output.data(&checked, |_| lines.join("\n"))?;
    match problems.len() {
        0 => Ok(()),
        1 => Err(Failure::new(Exit::Configuration, "the configuration has a problem, named above")),
        many => Err(Failure::new(Exit::Configuration, format!("the configuration has {many} problems, named above"))),
    }
}

fn sound(notes: &[Message]) -> Vec<String> {
    let notes = lines(notes).into_iter().map(|note| format!("note: {note}"));
    std::iter::once("ok".to_owned()).chain(notes).collect()
}

fn lines(messages: &[Message]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

fn show(invocation: &Invocation) -> Result<(), Failure> {
    let entries: Vec<Shown> = invocation.load(Vec::new())?.entries.iter().map(Shown::from).collect();
    invocation.output.data(&entries, |entries| {
        let mut table = Table::new(["KEY", "VALUE", "SOURCE"]);
        for Shown { key, value, source } in entries {
            table.row([key, value, source]);
        }
        table
    })
}

impl From<&Message> for Found {
    fn from(message: &Message) -> Self {
        let file = message.file.as_ref().map(|file| file.display().to_string());
        Self { file, line: message.line, message: message.sentence.clone() }
    }
}

impl From<&Entry> for Shown {
    fn from(entry: &Entry) -> Self {
        Self { key: entry.key.clone(), value: entry.value.clone(), source: entry.source.to_string() }
    }
}
