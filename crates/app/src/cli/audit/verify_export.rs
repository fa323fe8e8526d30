//! `voight audit verify-export`.

use super::reader;
use super::report::{LedgerReport, record};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use clap::Args;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use voight_api::ledger_export::read_keys;
use voight_domain::ledger_audit::{ExportVerifier, SavedHeads};
use voight_domain::secrets::PublicKeys;

/// Value of FILE that selects standard input.
const STDIN: &str = "-";

/// Arguments of `voight audit verify-export`.
#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyExport {
    /// Exported ledger, or `-` for standard input
    #[arg(value_name = "FILE")]
    export: PathBuf,
    /// File of saved ledger heads, one per line: values of the header Voight-Meter, or signed heads
    #[arg(long, value_name = "LOG")]
    saved_heads: Option<PathBuf>,
    /// Public keys of the service, as served at /.well-known/voight-keys.json [default: the keys in the export]
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
}

impl VerifyExport {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let keys = self.keys.as_deref().map(keys).transpose()?;
        let saved_heads = self
            .saved_heads
            .as_deref()
            .map_or_else(|| Ok(SavedHeads::default()), heads)?;
        let checker = ExportVerifier::new(keys, saved_heads);
        let progress = Progress::start(invocation.output, "checking");
        let verified_export = if self.export == Path::new(STDIN) {
            reader::verify_lines(io::stdin().lock(), checker, "standard input", &progress)
        } else {
            reader::verify_lines(
                open(&self.export)?,
                checker,
                &self.export.display().to_string(),
                &progress,
            )
        }?;
        drop(progress);
        invocation
            .output
            .data(&LedgerReport::from(verified_export), record)
    }
}

fn keys(path: &Path) -> Result<PublicKeys, CommandError> {
    let text = io::read_to_string(open(path)?).map_err(|error| unreadable(path, &error))?;
    read_keys(&text).map_err(|error| {
        let path = path.display();
        CommandError::new(
            Exit::Usage,
            format!("{path} holds no keys of this service ({error}); take them from /.well-known/voight-keys.json"),
        )
    })
}

fn heads(path: &Path) -> Result<SavedHeads, CommandError> {
    let mut heads = SavedHeads::default();
    for line in open(path)?.lines() {
        let line = line.map_err(|error| unreadable(path, &error))?;
        heads.add(&line).map_err(|error| {
            CommandError::new(Exit::Usage, format!("{}: {error}", path.display()))
        })?;
    }
    Ok(heads)
}

fn open(path: &Path) -> Result<BufReader<File>, CommandError> {
    File::open(path)
        .map(BufReader::new)
        .map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &io::Error) -> CommandError {
    let exit = if error.kind() == ErrorKind::NotFound {
        Exit::NotFound
    } else {
        Exit::Failure
    };
    CommandError::new(exit, format!("{} cannot be read ({error})", path.display()))
}
