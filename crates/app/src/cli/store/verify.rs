//! `voight store verify`.

use super::target;
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use crate::wiring::{self, BackupSummary, ContentHash, DamageLine, StoreUrl, Verification};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use voight_api::admin::TableLine;

/// Arguments of `voight store verify`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// Store without a running server, or backup file [default: the store of the data directory]
    #[arg(value_name = "URL|FILE")]
    subject: Option<String>,
}

/// Result of a verification.
#[derive(Debug, Serialize)]
pub(super) struct StoreReport {
    /// Verified store or backup.
    subject: String,
    /// Id of the store; `None` if it cannot be read.
    identity: Option<String>,
    /// Version of the record format; `None` if it cannot be read.
    format: Option<u32>,
    /// Number of records.
    rows: u64,
    /// Sizes of the tables.
    tables: Vec<TableLine>,
    /// Number of corrupt records.
    damaged: u64,
    /// Corrupt records, at most 1000.
    damage: Vec<DamageLine>,
}

impl Verify {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let url = match self.subject {
            // An argument that names an existing file is a backup; any other is a store URL.
            Some(name) if Path::new(&name).is_file() => return backup(invocation, Path::new(&name)),
            Some(text) => target::resolve(invocation, Some(parsed(&text)?))?,
            None => target::resolve(invocation, None)?,
        };
        let progress = Progress::start(invocation.output, "verifying");
        let verified = wiring::verify(&url, &mut |records| progress.add(records));
        let verified = verified.map_err(|failure| target::explain(invocation, &url, failure))?;
        drop(progress);
        StoreReport::new(url.to_string(), verified).show(invocation)
    }
}

fn parsed(text: &str) -> Result<StoreUrl, CommandError> {
    text.parse().map_err(|error| CommandError::new(Exit::Usage, format!("{error}, or name an existing backup")))
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
    let (_, BackupSummary { identity, content }) = super::verified_backup(path)?;
    let subject = path.display().to_string();
    let whole = BackupReport { subject, identity: identity.id, format: identity.format, content, damaged: 0 };
    invocation.output.data(&whole, |whole| format!("{} is valid: {} records.", whole.subject, whole.content.rows))
}

impl StoreReport {
    fn new(subject: String, Verification { identity, tables, damaged, damage }: Verification) -> Self {
        let (format, rows) =
            (identity.as_ref().map(|identity| identity.format), tables.iter().map(|table| table.rows).sum());
        Self { subject, identity: identity.map(|identity| identity.id), format, rows, tables, damaged, damage }
    }

    /// Prints the report; corrupt records are an error.
    fn show(&self, invocation: &Invocation) -> Result<(), CommandError> {
        invocation.output.data(self, text)?;
        if self.damaged == 0 {
            return Ok(());
        }
        Err(CommandError::internal(format!(
            "{} has {} corrupt records: stop the process that uses it, and restore it from a backup",
            self.subject, self.damaged
        )))
    }
}

pub(super) fn tables(lines: &[TableLine]) -> Table {
    let mut table = Table::new(["TABLE", "ROWS", "BYTES"]);
    for line in lines {
        table.row([line.table.as_str(), &line.rows.to_string(), &line.bytes.to_string()]);
    }
    table
}

fn text(findings: &StoreReport) -> String {
    let mut text = tables(&findings.tables).to_string();
    for DamageLine { table, key_digest, what } in &findings.damage {
        let _ = writeln!(text, "CORRUPT  table {table}, key digest {key_digest}: {what}");
    }
    if findings.damaged == 0 {
        let _ = writeln!(text, "\n{} is valid: {} records.", findings.subject, findings.rows);
    }
    text
}
