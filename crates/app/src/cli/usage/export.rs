//! `voight usage export`.

use crate::cli::file::{STDOUT, save};
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::output::Table;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use voight_api::admin::routes;
use voight_api::route::{Call, EmptyBody, UsageExport};
use voight_api::usage_formats::ExportFormat;
use voight_domain::Environment;

/// Export a client's billable lookups, one per row, for billing software.
#[derive(Debug, Args)]
pub(in crate::cli) struct UsageExportArgs {
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

impl UsageExportArgs {
    pub(super) fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        let abort_message =
            "the server aborted the export, so it is incomplete; its log has the reason";
        // The session may run the server, so it lasts until the response is read.
        let mut session = None;
        let open = || {
            session
                .insert(invocation.session()?)
                .client()
                .download(&self.call())
        };
        let Some(bytes) = save(
            invocation.output,
            &self.out,
            "exporting",
            abort_message,
            open,
        )?
        else {
            return Ok(());
        };
        let report = ExportReport {
            file: self.out.display().to_string(),
            format: self.format.as_str(),
            bytes,
        };
        invocation.output.data(&report, text)
    }

    fn call(&self) -> Call<EmptyBody, UsageExport> {
        let environment = Environment::from_is_test(self.test);
        routes::EXPORT_LOOKUPS
            .call([])
            .with_query("client", Some(&self.client))
            .with_query("format", Some(self.format.as_str()))
            .with_query("environment", Some(environment.label()))
            .with_query("from", self.from.as_deref())
            .with_query("to", self.to.as_deref())
    }
}

fn text(report: &ExportReport) -> Table {
    let mut table = Table::default();
    table.row(["file", &report.file]);
    table.row(["format", report.format]);
    table.row(["bytes", &report.bytes.to_string()]);
    table
}
