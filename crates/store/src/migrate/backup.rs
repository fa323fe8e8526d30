//! The backup that is made before a store is changed.

use super::OutdatedStore;
use crate::dump::{DumpError, DumpSummary, read_dump, timestamp_for_file_name, write_dump};
use crate::open::with_suffix;
use crate::{AtomicFile, Engine, FORMAT, OpenError};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use voight_domain::vocabulary::Timestamp;

/// Writes everything in the store into a file beside it, syncs it, reads it back, and returns its name. A crash or an error
/// leaves no file of that name, and nothing else is touched.
pub(super) fn write_backup<E: Engine>(store: &OutdatedStore<'_, E>, now: Timestamp) -> Result<PathBuf, OpenError> {
    let file = with_suffix(store.path, &format!(".before-format-{FORMAT}.{}.dump", timestamp_for_file_name(now)));
    // Always the same, so that what a crash leaves of it is written over.
    let draft = with_suffix(store.path, &format!(".before-format-{FORMAT}.partial"));
    let kept = AtomicFile::private(draft).map_err(DumpError::Io).and_then(|draft| {
        let written = write(store, &draft)?;
        verify_backup(draft.path(), written)?;
        Ok(draft.persist(&file)?)
    });
    kept.map_err(|error| refused(store, &file, error))?;
    Ok(file)
}

fn write<E: Engine>(store: &OutdatedStore<'_, E>, draft: &AtomicFile) -> Result<DumpSummary, DumpError> {
    let failed = |error| DumpError::Io(io::Error::other(error));
    let evidence = store.evidence.snapshot().map_err(failed)?;
    let main = store.main.snapshot().map_err(failed)?;
    let mut out = BufWriter::new(draft.file());
    let summary = write_dump(&store.identity, &main, Some(&evidence), &mut out)?;
    out.flush()?;
    draft.sync()?;
    Ok(summary)
}

/// Reads the file to its end, and compares.
fn verify_backup(draft: &Path, written: DumpSummary) -> Result<(), DumpError> {
    let (_, read) = read_dump(BufReader::new(File::open(draft)?))?;
    if read == written {
        return Ok(());
    }
    Err(DumpError::Io(io::Error::other("what was written is not what is read back")))
}

fn refused<E>(store: &OutdatedStore<'_, E>, file: &Path, error: DumpError) -> OpenError {
    let place = store.path.display();
    let what = match error {
        DumpError::Store(what) => return OpenError::damaged(place, what),
        DumpError::Io(what) => what.to_string(),
        other => other.to_string(),
    };
    let (place, backup) = (place.to_string(), file.display().to_string());
    OpenError::NoBackup { place, found: store.identity.format(), known: FORMAT, backup, what }
}
