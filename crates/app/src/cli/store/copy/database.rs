//! Database as the source or the destination of a copy.

use super::super::failure;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::os::SystemClock;
use crate::wiring::{
    DatabaseMoment, DatabaseRestore, DatabaseSnapshot, PostgresUrl, StoreIdentity, postgres_open_failure, with_password,
};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use voight_embedded::{DumpError, DumpReader, DumpSummary, DumpWriter, FORMAT, Identity, RestoreError};

/// Writes the dump of the store at `url`, read from one snapshot, and returns the name of its moment.
///
/// A distributed store has a single moment only if `quiesce` holds up writes meanwhile.
pub(super) fn read(
    url: &PostgresUrl,
    quiesce: bool,
    out: impl Write,
) -> Result<(DumpSummary, &'static str), CommandError> {
    let snapshot = DatabaseSnapshot::open(&with_password(url), Arc::new(SystemClock), quiesce);
    let snapshot = snapshot.map_err(|error| postgres_open_failure(&error))?;
    let moment = match snapshot.moment() {
        DatabaseMoment::Single => "single",
        DatabaseMoment::Quiesced => "quiesced",
        DatabaseMoment::Several => "several",
    };
    let StoreIdentity { id, created_at, pepper } = *snapshot.identity();
    let mut writing = Writing::start(&Identity::new(id, created_at, pepper), out);
    snapshot.for_each(&mut |key, record| writing.add(key, record)).map_err(|error| postgres_open_failure(&error))?;
    let summary = writing.finish().map_err(|error| failure(&error.into(), &url.to_string()))?;
    Ok((summary, moment))
}

/// Builds a store at `url` from a dump.
///
/// Returns the summary of the dump, and that read back from the database before the store was made visible.
pub(super) fn put(
    url: &PostgresUrl,
    input: impl Read,
    (source, progress): (&str, &Progress),
) -> Result<(DumpSummary, DumpSummary), CommandError> {
    let wrong = |error: DumpError| failure(&error.into(), source);
    let refused = |error| postgres_open_failure(&error);
    let mut dump = DumpReader::open(input).map_err(wrong)?;
    let identity = *dump.identity();
    if identity.format() != FORMAT {
        return Err(CommandError::configuration(format!(
            "{source} has records of format {}, and a database requires format {FORMAT}: start a server on the store once, which migrates it, and stop the server",
            identity.format()
        )));
    }
    let whose = StoreIdentity { id: identity.ulid(), created_at: identity.created_at(), pepper: identity.pepper() };
    let mut draft = DatabaseRestore::begin(&with_password(url), &whose, Arc::new(SystemClock)).map_err(refused)?;
    while let Some(entry) = dump.next_entry().map_err(wrong)? {
        draft.add(&entry.key, entry.record()).map_err(refused)?;
        progress.add(1);
    }
    let said = dump.summary().ok_or(DumpError::Truncated).map_err(wrong)?;
    let mut writing = Writing::start(&identity, io::sink());
    draft.read_back(&mut |key, record| writing.add(key, record)).map_err(refused)?;
    if writing.finish().map_err(wrong)? != said {
        return Err(failure(&RestoreError::ContentMismatch, source));
    }
    draft.commit().map_err(refused)?;
    Ok((said, said))
}

/// Dump writer that stops at its first error.
struct Writing<W>(Result<DumpWriter<W>, DumpError>);

impl<W: Write> Writing<W> {
    fn start(identity: &Identity, out: W) -> Self {
        Self(DumpWriter::start(identity, out))
    }

    fn add(&mut self, key: &[u8], record: Vec<u8>) -> ControlFlow<()> {
        let Ok(dump) = &mut self.0 else { return ControlFlow::Break(()) };
        match dump.add(key, record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.0 = Err(error);
                ControlFlow::Break(())
            }
        }
    }

    fn finish(self) -> Result<DumpSummary, DumpError> {
        self.0.and_then(DumpWriter::finish)
    }
}
