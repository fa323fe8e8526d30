//! `voight snapshot download`.

use super::Connection;
use super::public_client::PublicClient;
use crate::cli::file::{OutputFile, STDOUT, TrackedWriter, refuse_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use voight_api::public::{DECIMALS_DEFAULT, SnapshotFormat};

/// Download a file of a snapshot.
#[derive(Debug, Args)]
pub(in crate::cli) struct Download {
    /// Snapshot id
    #[arg(value_name = "SNAPSHOT")]
    id: String,
    /// Format of the file
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = PossibleValuesParser::new(SnapshotFormat::ALL.map(SnapshotFormat::as_str)))]
    format: String,
    /// Number of decimals of the token, for the format airdrop
    #[arg(long, value_name = "NUMBER", default_value_t = DECIMALS_DEFAULT)]
    decimals: u8,
    /// Output file, which must not exist, or `-` for standard output
    #[arg(long, value_name = "FILE", default_value = STDOUT)]
    out: PathBuf,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Debug, Serialize)]
struct DownloadReport {
    file: String,
    bytes: u64,
}

impl Download {
    pub(super) fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        if self.out == Path::new(STDOUT) {
            return self.write(invocation, io::stdout().lock(), Path::new("standard output")).map(drop);
        }
        refuse_existing(&self.out)?;
        let draft = OutputFile::create(&self.out)?;
        let bytes = self.write(invocation, draft.file(), draft.path())?;
        draft.sync()?;
        draft.persist_new(&self.out)?;
        let report = DownloadReport { file: self.out.display().to_string(), bytes };
        invocation.output.data(&report, |report| format!("wrote {} bytes to {}", report.bytes, report.file))
    }

    /// Copies the file to `out`; returns the number of bytes. `name` names the output in messages.
    fn write(&self, invocation: &Invocation, out: impl Write, name: &Path) -> Result<u64, CommandError> {
        let client = PublicClient::open(invocation, &self.connection)?;
        let path = format!("/{}/file?format={}&decimals={}", self.id, self.format, self.decimals);
        let mut body = client.download(&path)?;
        let progress = Progress::of_bytes(invocation.output, "downloading");
        let mut sink = TrackedWriter::new(out, name, &progress);
        let sent = io::copy(&mut body, &mut sink).and_then(|bytes| sink.flush().map(|()| bytes));
        sent.map_err(|_| {
            sink.failure_or(|| CommandError::internal("the service aborted the download; download the file again"))
        })
    }
}
