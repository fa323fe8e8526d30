//! `voight store copy`.

use super::{BuildReport, target};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::wiring::{
    self, ConcurrentWrites, ContentHash, StoreUrl, dump_database, restore_database,
};
use clap::Args;
use std::io::{self, BufReader, BufWriter, Read, Write};

/// Arguments of `voight store copy`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Copy {
    /// Store to copy
    #[arg(long, value_name = "URL")]
    from: StoreUrl,
    /// Destination, which must not contain a store
    #[arg(long, value_name = "URL")]
    to: StoreUrl,
    /// Hold up writes to a distributed store until it is read, so that the copy is of one moment
    #[arg(long)]
    quiesce: bool,
}

/// The moment of a store in files, which nothing else uses.
const SINGLE: &str = "single";
/// Follows a copy of several moments.
const SEVERAL: &str = "the store is distributed and was read at several moments: the copy may contain a part of a concurrent change; copy with --quiesce, or while no server runs";

impl Copy {
    /// Computes the hash of a source in files, so that files that cannot be read completely are not copied.
    ///
    /// A database has one snapshot only while it is read, so it has no first pass.
    fn first_hash(&self, invocation: &Invocation) -> Result<Option<ContentHash>, CommandError> {
        let files = match &self.from {
            StoreUrl::Postgres(_) => return Ok(None),
            files => files,
        };
        if matches!(self.to, StoreUrl::Postgres(_)) {
            // A new store in files is verified before it gets its name; for a database, the source is verified.
            wiring::verify(files, &mut |_| {})
                .map_err(|failure| target::explain(invocation, files, failure))?
                .ensure_valid()?;
        }
        let (hash, _) = read(invocation, files, ConcurrentWrites::Allowed, io::sink())?;
        Ok(Some(hash))
    }

    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let first_hash = self.first_hash(invocation)?;
        let (input, out) = io::pipe()
            .map_err(|error| CommandError::internal(format!("no pipe can be made ({error})")))?;
        let reader = invocation.clone();
        let source = self.from.clone();
        let writes = if self.quiesce {
            ConcurrentWrites::Blocked
        } else {
            ConcurrentWrites::Allowed
        };
        let reading = std::thread::spawn(move || read(&reader, &source, writes, out));
        let mut input = BufReader::new(input);
        let progress = Progress::start(invocation.output, "copying");
        let write_result = put(
            invocation,
            &self.to,
            &mut input,
            &self.from.to_string(),
            &progress,
        );
        drop(progress);
        // At the end of the input the reader thread may have failed; before it, the reader fails because its output is closed.
        let is_at_end = matches!(input.read(&mut [0]), Ok(0));
        drop(input);
        match (write_result, reading.join()) {
            (Err(_), Ok(Err(failure))) if is_at_end => Err(failure),
            (Err(failure), _) | (Ok(_), Ok(Err(failure))) => Err(failure),
            (Ok(to), Ok(Ok((from, moment)))) if first_hash.is_none_or(|hash| hash == from) => {
                BuildReport {
                    store: self.to.to_string(),
                    from,
                    to,
                    moment: Some(moment),
                }
                .print(invocation)?;
                if moment == "several" {
                    invocation.output.note(SEVERAL);
                }
                Ok(())
            }
            _ => Err(CommandError::internal(format!(
                "two reads of {} differ: check its disk",
                self.from
            ))),
        }
    }
}

/// Writes the dump of a store; the moment that it is of.
fn read(
    invocation: &Invocation,
    url: &StoreUrl,
    writes: ConcurrentWrites,
    out: impl Write,
) -> Result<(ContentHash, &'static str), CommandError> {
    match url {
        StoreUrl::Postgres(url) => dump_database(url, writes, BufWriter::new(out)),
        files => {
            let content = wiring::dump(files, &mut BufWriter::new(out))
                .map(|summary| (summary.content, SINGLE));
            content.map_err(|failure| target::explain(invocation, files, failure))
        }
    }
}

/// Builds a store from a dump; returns the summary of the new store.
fn put(
    invocation: &Invocation,
    url: &StoreUrl,
    input: impl Read,
    source: &str,
    progress: &Progress,
) -> Result<ContentHash, CommandError> {
    let progress = &mut |records| progress.add(records);
    match url {
        StoreUrl::Postgres(url) => restore_database(url, input, source, progress),
        files => wiring::restore(files, input, source, progress)
            .map_err(|failure| target::explain(invocation, files, failure)),
    }
}
