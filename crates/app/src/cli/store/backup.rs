//! `voight store backup`.

mod source;

use super::{BACKUP_RULE, verified_backup};
use crate::cli::file::{OutputFile, STDOUT, TrackedWriter, refuse_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use crate::os::SystemClock;
use crate::output::Table;
use crate::wiring::{BackupSummary, ContentHash, StoreUrl, timestamp_for_file_name};
use clap::Args;
use serde::Serialize;
use source::Source;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use voight_domain::ports::Clock;

/// Arguments of `voight store backup`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  voight store backup
  voight store backup --out /backup/voight.dump
  voight store backup --out - | zstd > voight.dump.zst
  voight store backup redb:/srv/voight/voight.redb")]
pub(in crate::cli) struct Backup {
    /// Store to back up while no server runs on it [default: the store of the data directory, through its server if one runs]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
    /// Output file, which must not exist, or `-` for standard output [default: voight-STORE-TIME.dump in the working directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct BackupDone {
    file: String,
    identity: String,
    #[serde(flatten)]
    content: ContentHash,
    contains_pepper: bool,
}

impl Backup {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self.out {
            Some(out) if out == Path::new(STDOUT) => to_stdout(invocation, self.url),
            out => to_file(invocation, self.url, out),
        }
    }
}

fn to_stdout(invocation: &Invocation, url: Option<StoreUrl>) -> Result<(), CommandError> {
    if io::stdout().is_terminal() {
        let sentence =
            "a backup cannot be written to a terminal: redirect standard output to a file, or name one with --out";
        return Err(CommandError::new(Exit::Usage, sentence));
    }
    let source = Source::resolve(invocation, url)?;
    let progress = Progress::of_bytes(invocation.output, "backing up");
    let written = source
        .send(invocation, &mut TrackedWriter::new(io::stdout().lock(), Path::new("standard output"), &progress))?;
    drop(progress);
    let done = BackupDone::new(STDOUT.to_owned(), written);
    invocation.output.data_to_stderr(&done, text)?;
    invocation.output.note(BACKUP_RULE);
    Ok(())
}

fn to_file(invocation: &Invocation, url: Option<StoreUrl>, out: Option<PathBuf>) -> Result<(), CommandError> {
    out.as_deref().map_or(Ok(()), refuse_existing)?;
    let time = timestamp_for_file_name(SystemClock.now());
    let source = Source::resolve(invocation, url)?;
    let draft = OutputFile::create(out.as_deref().unwrap_or(Path::new(&format!("voight-{time}.dump"))))?;
    let progress = Progress::of_bytes(invocation.output, "backing up");
    let written = source.send(invocation, &mut TrackedWriter::new(draft.file(), draft.path(), &progress))?;
    draft.sync()?;
    drop(progress);
    // The file is read back, so that only a complete backup is kept.
    let (_, read) = verified_backup(draft.path())?;
    if read != written {
        return Err(CommandError::internal(
            "the data read back differs from the data written, and is discarded: check the disk",
        ));
    }
    let out = out.unwrap_or_else(|| format!("voight-{}-{time}.dump", read.identity).into());
    draft.persist_new(&out)?;
    invocation.output.data(&BackupDone::new(out.display().to_string(), read), text)?;
    invocation.output.note(BACKUP_RULE);
    Ok(())
}

impl BackupDone {
    fn new(file: String, summary: BackupSummary) -> Self {
        let BackupSummary { identity, content, .. } = summary;
        Self { file, identity, content, contains_pepper: false }
    }
}

fn text(done: &BackupDone) -> Table {
    let mut table = Table::default();
    table.row(["file", &done.file]);
    table.row(["store", &done.identity]);
    table.row(["rows", &done.content.rows.to_string()]);
    table.row(["hash", &done.content.hash]);
    table
}
