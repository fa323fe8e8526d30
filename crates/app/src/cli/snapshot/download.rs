//! `voight snapshot download`.

use super::ConnectionArgs;
use super::public_client::PublicClient;
use crate::cli::file::{STDOUT, save};
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::path::PathBuf;
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
    connection: ConnectionArgs,
}

#[derive(Debug, Serialize)]
struct DownloadReport {
    file: String,
    bytes: u64,
}

impl Download {
    pub(super) fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        let path = format!(
            "/{}/file?format={}&decimals={}",
            self.id, self.format, self.decimals
        );
        let abort_message = "the service aborted the download; download the file again";
        let open = || PublicClient::open(invocation, &self.connection)?.download(&path);
        let Some(bytes) = save(
            invocation.output,
            &self.out,
            "downloading",
            abort_message,
            open,
        )?
        else {
            return Ok(());
        };
        let report = DownloadReport {
            file: self.out.display().to_string(),
            bytes,
        };
        invocation.output.data(&report, |report| {
            format!("wrote {} bytes to {}", report.bytes, report.file)
        })
    }
}
