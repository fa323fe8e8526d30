//! `voight store verify`.

use super::target;
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::wiring::{OfflineTask, open_failure};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use voight_api::admin::TableLine;
use voight_embedded::{Identity, PersistentEngine, TableReport, VerifyReport, verify};

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

#[derive(Debug, Serialize)]
struct DamageLine {
    table: &'static str,
    key_digest: String,
    what: String,
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
        let (identity, report) = target::run_offline(invocation, &url, Verifying(&progress))?;
        drop(progress);
        StoreReport::new(url.to_string(), identity, report).show(invocation)
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
    proof: super::ContentHash,
    damaged: u64,
}

/// Verifies a backup. An invalid backup is an error without a list of damage: one wrong byte makes it unusable.
fn backup(invocation: &Invocation, path: &Path) -> Result<(), CommandError> {
    let (_, (identity, summary)) = super::verified_backup(path)?;
    let subject = path.display().to_string();
    let whole =
        BackupReport { subject, identity: identity.id(), format: identity.format(), proof: summary.into(), damaged: 0 };
    invocation.output.data(&whole, |whole| format!("{} is valid: {} records.", whole.subject, whole.proof.rows))
}

struct Verifying<'a>(&'a Progress);

impl OfflineTask for Verifying<'_> {
    type Output = (Option<Identity>, VerifyReport);

    fn run_on_engine<E: PersistentEngine>(self, path: &Path) -> Result<Self::Output, CommandError> {
        // A database that panics on a corrupt page is reported as damage; the panic message would only distract.
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let verified = verify::<E>(path, &mut |records| self.0.add(records));
        std::panic::set_hook(default_hook);
        verified.map_err(|error| open_failure(&error))
    }
}

impl StoreReport {
    fn new(subject: String, identity: Option<Identity>, report: VerifyReport) -> Self {
        let rows = report.rows();
        let damage = report.damage.into_iter().map(|damage| DamageLine {
            table: damage.table,
            key_digest: damage.key_digest,
            what: damage.what,
        });
        Self {
            subject,
            identity: identity.map(|identity| identity.id()),
            format: identity.map(|identity| identity.format()),
            rows,
            damaged: report.damaged,
            damage: damage.collect(),
            tables: report.tables.into_iter().map(line).collect(),
        }
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

/// Formats the line of a table.
pub(super) fn line(TableReport { table, rows, bytes }: TableReport) -> TableLine {
    TableLine { table: table.to_owned(), rows, bytes }
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
