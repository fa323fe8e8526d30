//! `voight usage export`.

use crate::cli::file::{OutputFile, STDOUT, TrackedWriter, refuse_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::output::Table;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use voight_api::admin::routes;
use voight_api::route::{Call, EmptyBody, UsageExport};
use voight_api::usage_formats::ExportFormat;
use voight_domain::Environment;

/// Export a client's billable lookups, one per row, for billing software.
#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// Client name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// Start of the time range: a date (UTC) or a time, for example 2026-11-01 [default: start of the current period]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// End of the time range, exclusive, at most 400 days after its start [default: end of the current period]
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// Format: csv, cloudevents (JSON lines for OpenMeter) or lago (one batch per line)
    #[arg(long, value_name = "FORMAT", default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Export lookups of the sandbox, which are never billed
    #[arg(long)]
    test: bool,
    /// Output file, which must not exist, or `-` for standard output
    #[arg(long, value_name = "FILE", default_value = STDOUT)]
    out: PathBuf,
}

#[derive(Debug, Serialize)]
struct ExportReport {
    file: String,
    format: &'static str,
    bytes: u64,
}

impl Export {
    pub(super) fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        if self.out == Path::new(STDOUT) {
            return self.write(invocation, io::stdout().lock(), Path::new("standard output")).map(drop);
        }
        refuse_existing(&self.out)?;
        let draft = OutputFile::create(&self.out)?;
        let bytes = self.write(invocation, draft.file(), draft.path())?;
        draft.sync()?;
        draft.persist_new(&self.out)?;
        let done = ExportReport { file: self.out.display().to_string(), format: self.format.as_str(), bytes };
        invocation.output.data(&done, text)
    }

    /// Copies the server's response to `out`; returns the number of bytes. `name` names the output in messages.
    fn write(&self, invocation: &Invocation, out: impl Write, name: &Path) -> Result<u64, CommandError> {
        let session = invocation.session()?;
        let mut body = session.client().download(&self.call())?;
        let progress = Progress::of_bytes(invocation.output, "exporting");
        let mut sink = TrackedWriter::new(out, name, &progress);
        let sent = io::copy(&mut body, &mut sink).and_then(|bytes| sink.flush().map(|()| bytes));
        sent.map_err(|_| {
            sink.failure_or(|| {
                CommandError::internal("the server aborted the export, so it is incomplete; its log has the reason")
            })
        })
    }

    fn call(&self) -> Call<EmptyBody, UsageExport> {
        let environment = if self.test { Environment::Sandbox } else { Environment::Live };
        routes::EXPORT_LOOKUPS
            .call([])
            .with_query("client", Some(&self.client))
            .with_query("format", Some(self.format.as_str()))
            .with_query("environment", Some(environment.label()))
            .with_query("from", self.from.as_deref())
            .with_query("to", self.to.as_deref())
    }
}

fn text(done: &ExportReport) -> Table {
    let mut table = Table::default();
    table.row(["file", &done.file]);
    table.row(["format", done.format]);
    table.row(["bytes", &done.bytes.to_string()]);
    table
}
