//! `voight usage export`.

use crate::admin_client::Path as Call;
use crate::cli::file::{OutputFile, STDOUT, TrackedWriter, refuse_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::output::Table;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use voight_domain::Environment;
use voight_http::ExportFormat;

/// Write a client's billable lookups, one by one, for another program.
#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// Whose lookups: a client's name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// From when on: a date (UTC) or a time, for example 2026-11-01 [default: the current period's begin]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Until before when, at most 400 days later [default: the current period's end]
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// What to write: csv, cloudevents (lines of JSON, as OpenMeter takes them) or lago (each line a batch)
    #[arg(long, value_name = "FORMAT", default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// The lookups of the sandbox instead, which are never billed
    #[arg(long)]
    test: bool,
    /// The file to write, which must not be there, or `-` for standard output
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

    /// Passes on to `out`, which is called `name`, what the server sends; returns how many bytes that were.
    fn write(&self, invocation: &Invocation, out: impl Write, name: &Path) -> Result<u64, CommandError> {
        let session = invocation.session()?;
        let mut body = session.client().download(&self.call())?;
        let progress = Progress::of_bytes(invocation.output, "exporting");
        let mut sink = TrackedWriter::new(out, name, &progress);
        let sent = io::copy(&mut body, &mut sink).and_then(|bytes| sink.flush().map(|()| bytes));
        sent.map_err(|_| {
            sink.failure_or(|| {
                CommandError::internal("the server broke the export off, so it is not whole; its log says why")
            })
        })
    }

    fn call(&self) -> Call {
        let environment = if self.test { Environment::Sandbox } else { Environment::Live };
        Call::from_segments(["usage", "export"])
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
