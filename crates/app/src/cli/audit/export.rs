//! `voight audit export`.

use super::ledger::{LedgerArgs, export_call};
use super::reader;
use super::report::{LedgerReport, record};
use crate::admin_client::AdminClient;
use crate::cli::file::{OutputFile, TrackedWriter, reject_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use clap::Args;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use voight_domain::ledger_audit::{ExportVerifier, SavedHeads};
use voight_domain::services::Openings;

/// Value of `--out` that selects standard output.
const STDOUT: &str = "-";

/// Arguments of `voight audit export`.
#[derive(Debug, Args)]
pub(in crate::cli) struct LedgerExportArgs {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// Include the openings: the looked-up addresses, as far as they are retained
    #[arg(long)]
    openings: bool,
    /// Output file, which must not exist, or `-` for standard output
    #[arg(long, value_name = "FILE", default_value = STDOUT)]
    out: PathBuf,
}

impl LedgerExportArgs {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if self.out == Path::new(STDOUT) {
            let progress = Progress::of_bytes(invocation.output, "exporting");
            let session = invocation.session()?;
            return self.send(
                session.client(),
                &mut TrackedWriter::new(
                    io::stdout().lock(),
                    Path::new("standard output"),
                    &progress,
                ),
            );
        }
        reject_existing(&self.out)?;
        let session = invocation.session()?;
        let draft = OutputFile::create(&self.out)?;
        let progress = Progress::of_bytes(invocation.output, "exporting");
        self.send(
            session.client(),
            &mut TrackedWriter::new(draft.file(), draft.path(), &progress),
        )?;
        draft.sync()?;
        drop(progress);
        let proven = self.prove(invocation, draft.path())?;
        draft.persist_new(&self.out)?;
        invocation.output.data(&proven, record)
    }

    fn send<W: Write>(
        &self,
        client: &AdminClient,
        sink: &mut TrackedWriter<'_, W>,
    ) -> Result<(), CommandError> {
        let openings = if self.openings {
            Openings::Included
        } else {
            Openings::Omitted
        };
        let body = client.download(&export_call(
            &self.ledger.client,
            self.ledger.environment.0,
            openings,
        ))?;
        let abort_message =
            "the export was aborted and is discarded; the log of the service has the reason";
        sink.copy_from(body, abort_message).map(drop)
    }

    /// Verifies the written file, so that only a valid export is handed out.
    fn prove(&self, invocation: &Invocation, draft: &Path) -> Result<LedgerReport, CommandError> {
        let file = File::open(draft).map_err(|error| {
            CommandError::internal(format!("{} cannot be read ({error})", draft.display()))
        })?;
        let progress = Progress::start(invocation.output, "checking");
        let subject = format!("the ledger of {}", self.ledger.client);
        let verified_export = reader::verify_lines(
            BufReader::new(file),
            ExportVerifier::new(None, SavedHeads::default()),
            &subject,
            &progress,
        )?;
        Ok(verified_export.into())
    }
}
