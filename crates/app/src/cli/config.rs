//! `voight config`.

use super::invocation::Invocation;
use crate::config::{Entry, Loaded, Problem};
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
    let problems = match invocation.load(Vec::new()) {
        Ok(Loaded { .. }) => Vec::new(),
        Err(problems) => problems.0,
    };
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    let checked = Checked { ok: problems.is_empty(), problems: problems.iter().map(Found::from).collect() };
    invocation.output.data(&checked, |checked| if checked.ok { "ok".to_owned() } else { lines.join("\n") })?;
    match problems.len() {
        0 => Ok(()),
        1 => Err(Failure::new(Exit::Configuration, "the configuration has a problem, named above")),
        many => Err(Failure::new(Exit::Configuration, format!("the configuration has {many} problems, named above"))),
    }
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

impl From<&Problem> for Found {
    fn from(problem: &Problem) -> Self {
        let file = problem.file.as_ref().map(|file| file.display().to_string());
        Self { file, line: problem.line, message: problem.sentence.clone() }
    }
}

impl From<&Entry> for Shown {
    fn from(entry: &Entry) -> Self {
        Self { key: entry.key.clone(), value: entry.value.clone(), source: entry.source.to_string() }
    }
}
