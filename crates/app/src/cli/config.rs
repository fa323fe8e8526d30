//! `voight config`.

use super::file::{reject_existing, unwritable};
use super::invocation::Invocation;
use crate::config::{ConfigEntry, LocatedDiagnostic, sample, schema};
use crate::exit::{CommandError, Exit};
use crate::exposed_secrets::exposed_password;
use crate::output::{Output, Table};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Commands of `voight config`.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print a configuration file of every key with its meaning and its default, all commented out
    #[command(after_long_help = "\
Examples:
  voight config init --out voight.toml
  voight config init | less")]
    Init(Init),
    /// Check the configuration and list every problem
    Check,
    /// Show every configuration key with its effective value and its source. Secrets are not shown
    Show,
    /// Print the JSON schema of a configuration file, for editors and linters
    Schema,
}

/// Arguments of `voight config init`.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// Write a new file, which must not exist, instead of printing
    #[arg(long, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct InitReport {
    file: String,
}

#[derive(Serialize)]
struct ConfigReport {
    ok: bool,
    problems: Vec<ConfigProblem>,
    /// Advisories: valid settings that an operator should know about.
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
            Self::Init(init) => init.run(invocation.output),
            Self::Check => check(invocation),
            Self::Show => show(invocation),
            Self::Schema => {
                Output::raw(format!("{:#}\n", schema()).as_bytes());
                Ok(())
            }
        }
    }
}

impl Init {
    fn run(self, output: Output) -> Result<(), CommandError> {
        let Some(path) = self.out else {
            Output::raw(sample().as_bytes());
            return Ok(());
        };
        write_new(&path, &sample())?;
        let report = InitReport {
            file: path.display().to_string(),
        };
        output.data(&report, |InitReport { file }| {
            format!("{file} is written; start with `voight serve --config {file}`")
        })
    }
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, text: &str) -> Result<(), CommandError> {
    reject_existing(path)?;
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| unwritable(path, &error))
}

fn check(invocation: &Invocation) -> Result<(), CommandError> {
    let (problems, notes) = match invocation.load(Vec::new()) {
        Ok(loaded) => {
            let warning = exposed_password(&loaded).map(LocatedDiagnostic::plain);
            (
                Vec::new(),
                loaded.notes.into_iter().chain(warning).collect(),
            )
        }
        Err(problems) => (problems.0, Vec::new()),
    };
    let lines = if problems.is_empty() {
        sound(&notes)
    } else {
        lines(&problems)
    };
    let to_problems =
        |messages: &[LocatedDiagnostic]| messages.iter().map(ConfigProblem::from).collect();
    let report = ConfigReport {
        ok: problems.is_empty(),
        problems: to_problems(&problems),
        notes: to_problems(&notes),
    };
    invocation.output.data(&report, |_| lines.join("\n"))?;
    match problems.len() {
        0 => Ok(()),
        1 => Err(CommandError::new(
            Exit::Configuration,
            "the configuration has a problem, named above",
        )),
        many => Err(CommandError::new(
            Exit::Configuration,
            format!("the configuration has {many} problems, named above"),
        )),
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
    let entries: Vec<ConfigEntryView> = invocation
        .load(Vec::new())?
        .entries
        .iter()
        .map(ConfigEntryView::from)
        .collect();
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
        Self {
            file,
            line: message.line,
            message: message.message.clone(),
        }
    }
}

impl From<&ConfigEntry> for ConfigEntryView {
    fn from(entry: &ConfigEntry) -> Self {
        Self {
            key: entry.key.clone(),
            value: entry.value.clone(),
            source: entry.source.to_string(),
        }
    }
}
