//! `voight audit export`.

use super::checked::{LedgerReport, record};
use super::ledger::{LedgerArgs, path};
use super::read;
use crate::admin_client::AdminClient;
use crate::cli::file::{OutputFile, TrackedWriter, refuse_existing};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use clap::Args;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use voight_domain::proof::{ExportVerifier, SavedHeads};

/// As `--out`, stands for standard output.
const STDOUT: &str = "-";

/// Write a client's ledger into a file that the client can check.
#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// With the addresses that were looked up, as far as they are still kept
    #[arg(long)]
    openings: bool,
    /// The file to write, which must not be there, or `-` for standard output
    #[arg(long, value_name = "FILE", default_value = STDOUT)]
    out: PathBuf,
}

impl Export {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if self.out == Path::new(STDOUT) {
            let progress = Progress::of_bytes(invocation.output, "exporting");
            let session = invocation.session()?;
            return self.send(
                session.client(),
                &mut TrackedWriter::new(io::stdout().lock(), Path::new("standard output"), &progress),
            );
        }
        refuse_existing(&self.out)?;
        let session = invocation.session()?;
        let draft = OutputFile::create(&self.out)?;
        let progress = Progress::of_bytes(invocation.output, "exporting");
        self.send(session.client(), &mut TrackedWriter::new(draft.file(), draft.path(), &progress))?;
        draft.sync()?;
        drop(progress);
        let proven = self.prove(invocation, draft.path())?;
        draft.persist_new(&self.out)?;
        invocation.output.data(&proven, record)
    }

    fn send<W: Write>(&self, client: &AdminClient, sink: &mut TrackedWriter<'_, W>) -> Result<(), CommandError> {
        let mut body = client.download(&path(&self.ledger.client, self.ledger.environment.0, self.openings))?;
        let sent = io::copy(&mut body, sink).and_then(|_| sink.flush());
        sent.map_err(|_| {
            sink.failure_or(|| {
                CommandError::internal("the export broke off, so there is none; the service's log says why")
            })
        })
    }

    /// Reads the file again, so that what is handed out is known to pass.
    fn prove(&self, invocation: &Invocation, draft: &Path) -> Result<LedgerReport, CommandError> {
        let file = File::open(draft)
            .map_err(|error| CommandError::internal(format!("{} cannot be read ({error})", draft.display())))?;
        let progress = Progress::start(invocation.output, "checking");
        let subject = format!("the ledger of {}", self.ledger.client);
        let checked = read::verify_lines(
            BufReader::new(file),
            ExportVerifier::new(None, SavedHeads::default()),
            &subject,
            &progress,
        )?;
        Ok(checked.into())
    }
}
