//! `voight store verify`.

use super::{tables, target};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use crate::wiring::{self, BackupSummary, ContentHash, DamageLine, StoreReport, StoreUrl};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Arguments of `voight store verify`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// Store without a running server, or backup file [default: the store of the data directory]
    #[arg(value_name = "URL|FILE")]
    subject: Option<String>,
}

impl Verify {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let url = match self.subject {
            // An argument that names an existing file is a backup; any other is a store URL.
            Some(name) if Path::new(&name).is_file() => {
                return backup(invocation, Path::new(&name));
            }
            Some(text) => target::resolve(invocation, Some(parsed(&text)?))?,
            None => target::resolve(invocation, None)?,
        };
        let progress = Progress::start(invocation.output, "verifying");
        let report = wiring::verify(&url, &mut |records| progress.add(records));
        let report = report.map_err(|failure| target::explain(invocation, &url, failure))?;
        drop(progress);
        invocation.output.data(&report, text)?;
        report.ensure_valid()
    }
}

fn parsed(text: &str) -> Result<StoreUrl, CommandError> {
    text.parse().map_err(|error| {
        CommandError::new(Exit::Usage, format!("{error}, or name an existing backup"))
    })
}

/// Result of verifying a valid backup.
#[derive(Debug, Serialize)]
struct BackupReport {
    subject: String,
    identity: String,
    format: u32,
    #[serde(flatten)]
    content: ContentHash,
    damaged: u64,
}

/// Verifies a backup. An invalid backup is an error without a list of damage: one wrong byte makes it unusable.
fn backup(invocation: &Invocation, path: &Path) -> Result<(), CommandError> {
    let (
        _,
        BackupSummary {
            identity,
            format,
            content,
            ..
        },
    ) = super::verified_backup(path)?;
    let subject = path.display().to_string();
    let report = BackupReport {
        subject,
        identity,
        format,
        content,
        damaged: 0,
    };
    invocation.output.data(&report, |report| {
        format!(
            "{} is valid: {} records.",
            report.subject, report.content.rows
        )
    })
}

fn text(findings: &StoreReport) -> String {
    let mut text = tables(&findings.tables).to_string();
    for DamageLine {
        table,
        key_digest,
        what,
    } in &findings.damage
    {
        let _ = writeln!(
            text,
            "CORRUPT  table {table}, key digest {key_digest}: {what}"
        );
    }
    if findings.damaged == 0 {
        let _ = writeln!(
            text,
            "\n{} is valid: {} records.",
            findings.subject, findings.rows
        );
    }
    text
}
