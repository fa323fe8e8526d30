//! `voight store backup`.

use super::{BACKUP_RULE, target, verified_backup};
use crate::admin_client::AdminClient;
use crate::cli::file::{OutputFile, STDOUT, TrackedWriter, reject_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use crate::os::SystemClock;
use crate::output::Table;
use crate::wiring::{
    self, BackupSummary, ContentHash, StoreUrl, read_backup, timestamp_for_file_name,
};
use clap::Args;
use serde::Serialize;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use voight_api::admin::routes::DUMP_STORE;
use voight_domain::ports::Clock;

/// Size of the read buffer for the server's response, in bytes.
const BUFFER: usize = 64 << 10;

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
        let sentence = "a backup cannot be written to a terminal: redirect standard output to a file, or name one with --out";
        return Err(CommandError::new(Exit::Usage, sentence));
    }
    let source = BackupSource::resolve(invocation, url)?;
    let progress = Progress::of_bytes(invocation.output, "backing up");
    let written_dump = source.send(
        invocation,
        &mut TrackedWriter::new(io::stdout().lock(), Path::new("standard output"), &progress),
    )?;
    drop(progress);
    let report = BackupDone::new(STDOUT.to_owned(), written_dump);
    invocation.output.data_to_stderr(&report, text)?;
    invocation.output.note(BACKUP_RULE);
    Ok(())
}

fn to_file(
    invocation: &Invocation,
    url: Option<StoreUrl>,
    out: Option<PathBuf>,
) -> Result<(), CommandError> {
    out.as_deref().map_or(Ok(()), reject_existing)?;
    let time = timestamp_for_file_name(SystemClock.now());
    let source = BackupSource::resolve(invocation, url)?;
    let draft = OutputFile::create(
        out.as_deref()
            .unwrap_or(Path::new(&format!("voight-{time}.dump"))),
    )?;
    let progress = Progress::of_bytes(invocation.output, "backing up");
    let written_dump = source.send(
        invocation,
        &mut TrackedWriter::new(draft.file(), draft.path(), &progress),
    )?;
    draft.sync()?;
    drop(progress);
    // The file is read back, so that only a complete backup is kept.
    let (_, read) = verified_backup(draft.path())?;
    if read != written_dump {
        return Err(CommandError::internal(
            "the data read back differs from the data written, and is discarded: check the disk",
        ));
    }
    let out = out.unwrap_or_else(|| format!("voight-{}-{time}.dump", read.identity).into());
    draft.persist_new(&out)?;
    invocation
        .output
        .data(&BackupDone::new(out.display().to_string(), read), text)?;
    invocation.output.note(BACKUP_RULE);
    Ok(())
}

impl BackupDone {
    fn new(file: String, summary: BackupSummary) -> Self {
        let BackupSummary {
            identity, content, ..
        } = summary;
        Self {
            file,
            identity,
            content,
            contains_pepper: false,
        }
    }
}

fn text(report: &BackupDone) -> Table {
    let mut table = Table::default();
    table.row(["file", &report.file]);
    table.row(["store", &report.identity]);
    table.row(["rows", &report.content.rows.to_string()]);
    table.row(["hash", &report.content.hash]);
    table
}

/// Source of a backup.
enum BackupSource {
    /// Store of a running server.
    Server(AdminClient),
    /// Store without a running server.
    Files(StoreUrl),
}

impl BackupSource {
    /// Returns the named store; else the store of the running server; else that of the data directory.
    fn resolve(invocation: &Invocation, named: Option<StoreUrl>) -> Result<Self, CommandError> {
        if named.is_some() && invocation.globals.server.is_some() {
            let sentence =
                "a named store is backed up without a server: omit the store, or --server";
            return Err(CommandError::new(Exit::Usage, sentence));
        }
        if named.is_none()
            && let Some(client) = invocation.server()?
        {
            return Ok(Self::Server(client));
        }
        target::resolve(invocation, named).map(Self::Files)
    }

    /// Writes the backup to `sink`; returns its summary.
    fn send<W: Write>(
        &self,
        invocation: &Invocation,
        sink: &mut TrackedWriter<'_, W>,
    ) -> Result<BackupSummary, CommandError> {
        let write_result = match self {
            Self::Server(client) => relay(client, sink),
            Self::Files(url) => {
                wiring::dump(url, sink).map_err(|failure| target::explain(invocation, url, failure))
            }
        };
        let flush_result = sink.flush();
        match (write_result, flush_result) {
            (Ok(write_result), Ok(())) => Ok(write_result),
            (Err(other), _) => Err(sink.failure_or(|| other)),
            (_, Err(error)) => Err(sink.failure_or(|| CommandError::internal(error.to_string()))),
        }
    }
}

/// Streams the server's backup and verifies it on the way, which detects a truncated response.
fn relay(client: &AdminClient, sink: &mut impl Write) -> Result<BackupSummary, CommandError> {
    let body = client.download(&DUMP_STORE.call([]))?;
    let backup = read_backup(BufReader::with_capacity(BUFFER, Passing { body, sink }));
    backup.map_err(|error| {
        CommandError::internal(if error.is_incomplete {
            "the server aborted the backup, and it is discarded; its log has the reason".to_owned()
        } else {
            format!(
                "the backup that the server sent is invalid: {}",
                error.message
            )
        })
    })
}

/// Reader that copies the bytes it reads to a writer.
struct Passing<R, W> {
    body: R,
    sink: W,
}

impl<R: Read, W: Write> Read for Passing<R, W> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.body.read(bytes)?;
        self.sink.write_all(&bytes[..length])?;
        Ok(length)
    }
}
