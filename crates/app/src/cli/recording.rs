//! `voight recording`: exports recordings of consenting people for model training.

mod directory;
mod segment;

use super::invocation::Invocation;
use super::progress::Progress;
use super::reference::ContextRef;
use super::verdict::HumanOrBot;
use crate::exit::{CommandError, Exit};
use crate::output::{Table, word};
use clap::{Args, Subcommand};
use directory::RecordingDir;
use segment::MovementLine;
use serde::Serialize;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use voight_api::admin::{Recording, RecordingLine, Truth, routes};

/// Commands of `voight recording`.
#[derive(Debug, Subcommand)]
pub(super) enum RecordingCommand {
    /// Export anonymised recordings of checks whose label includes consent
    Export(RecordingExportArgs),
}

/// Arguments of `voight recording export`.
#[derive(Debug, Args)]
pub(super) struct RecordingExportArgs {
    /// Context id, a unique prefix of it, or client/title
    #[arg(long, value_name = "CONTEXT")]
    context: ContextRef,
    /// Label to export; only labels set with --consent are included
    #[arg(long, value_name = "LABEL")]
    label: HumanOrBot,
    /// Tool that produced the movements of bots; recordings of humans are named human
    #[arg(long, value_name = "NAME", required_if_eq("label", "bot"))]
    tool: Option<String>,
    /// Name of the data set
    #[arg(long, value_name = "NAME", default_value = "voight")]
    dataset: String,
    /// Output directory. Existing files are kept; checks that it already contains are skipped
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Result of an export.
#[derive(Debug, Default, Serialize)]
struct ExportReport {
    file: String,
    people: usize,
    checks: usize,
    segments: usize,
    already_there: usize,
    gone: u64,
}

impl RecordingCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Export(export) => export.run(invocation),
        }
    }
}

impl RecordingExportArgs {
    fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        let truth = Truth::from(self.label);
        if truth == Truth::Human && self.tool.is_some() {
            return Err(CommandError::new(
                Exit::Usage,
                "--tool names the tool that made a bot's movements; omit it for people",
            ));
        }
        let mut folder = RecordingDir::open(&self.out, truth)?;
        let call = routes::EXPORT_RECORDINGS
            .call([self.context.as_str()])
            .with_query("label", Some(&word(&truth)));
        let lines = invocation.session()?.client().download(&call)?;
        let progress = Progress::start(invocation.output, "exporting");
        let report = self.add(&mut folder, lines, &progress)?;
        drop(progress);
        let file = folder.write()?;
        invocation.output.data(
            &ExportReport {
                file: file.display().to_string(),
                ..report
            },
            table,
        )
    }

    fn add(
        &self,
        folder: &mut RecordingDir,
        lines: impl Read,
        progress: &Progress,
    ) -> Result<ExportReport, CommandError> {
        let broken = || {
            CommandError::internal(
                "the server aborted the export, and nothing was written; its log has the reason",
            )
        };
        let mut report = ExportReport::default();
        let mut people = std::collections::HashSet::new();
        for line in BufReader::new(lines).lines() {
            match line
                .ok()
                .and_then(|line| serde_json::from_str(&line).ok())
                .ok_or_else(broken)?
            {
                RecordingLine::Recording(recording) => {
                    progress.add(1);
                    if folder.holds(&recording.check_id) {
                        report.already_there += 1;
                        continue;
                    }
                    report.segments += self.add_check(folder, &recording)?;
                    report.checks += 1;
                    people.insert(recording.person);
                }
                RecordingLine::Done { gone } => {
                    return Ok(ExportReport {
                        gone,
                        people: people.len(),
                        ..report
                    });
                }
            }
        }
        Err(broken())
    }

    /// Adds a check; returns the number of its movements.
    fn add_check(
        &self,
        folder: &mut RecordingDir,
        recording: &Recording,
    ) -> Result<usize, CommandError> {
        let is_bot = self.label == HumanOrBot::Bot;
        let of = segment::RecordingSource {
            src: &self.dataset,
            user: &recording.person,
            sess: &recording.check_id,
            lab: u8::from(is_bot),
            tool: self.tool.as_deref().unwrap_or("human"),
        };
        let segments: Vec<MovementLine<'_>> = recording
            .batches
            .iter()
            .filter_map(|batch| MovementLine::from_json(&batch.body, of))
            .collect();
        folder.add(recording, &segments)?;
        Ok(segments.len())
    }
}

fn table(report: &ExportReport) -> Table {
    let mut table = Table::default();
    table.row(["file", &report.file]);
    for (what, count) in [
        ("people", report.people),
        ("checks", report.checks),
        ("movements", report.segments),
        (
            "checks that the directory already contains",
            report.already_there,
        ),
    ] {
        table.row([what.to_owned(), count.to_string()]);
    }
    table.row(["checks whose evidence is deleted", &report.gone.to_string()]);
    table
}
