//! Backup of a store before its migration.

use super::OutdatedStore;
use crate::dump::{DumpError, DumpSummary, read_dump, timestamp_for_file_name, write_dump};
use crate::paths::with_suffix;
use crate::{AtomicFile, Engine, OpenError};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use voight_domain::vocabulary::Timestamp;

/// Writes a dump of the store next to it, syncs it, verifies it and returns its path.
///
/// After a crash or an error no file of that name exists. The store is not modified.
pub(super) fn write_backup<E: Engine>(
    store: &OutdatedStore<'_, E>,
    now: Timestamp,
) -> Result<PathBuf, OpenError> {
    let format = store.migrations.format();
    let file = with_suffix(
        store.path,
        &format!(
            ".before-format-{format}.{}.dump",
            timestamp_for_file_name(now)
        ),
    );
    // The temporary name is constant, so that a retry overwrites the rest of a crash.
    let draft = with_suffix(store.path, &format!(".before-format-{format}.partial"));
    let kept = AtomicFile::private(draft)
        .map_err(DumpError::Io)
        .and_then(|draft| {
            let written = write(store, &draft)?;
            verify_backup(draft.path(), written)?;
            Ok(draft.persist(&file)?)
        });
    kept.map_err(|error| refused(store, &file, error))?;
    Ok(file)
}

fn write<E: Engine>(
    store: &OutdatedStore<'_, E>,
    draft: &AtomicFile,
) -> Result<DumpSummary, DumpError> {
    let failed = |error| DumpError::Io(io::Error::other(error));
    let evidence = store.evidence.snapshot().map_err(failed)?;
    let main = store.main.snapshot().map_err(failed)?;
    let mut out = BufWriter::new(draft.file());
    let summary = write_dump(&store.identity, &main, Some(&evidence), &mut out)?;
    out.flush()?;
    draft.sync()?;
    Ok(summary)
}

/// Verifies the backup: reads the file to its end and compares the summaries.
fn verify_backup(draft: &Path, written: DumpSummary) -> Result<(), DumpError> {
    let (_, read) = read_dump(BufReader::new(File::open(draft)?))?;
    if read == written {
        return Ok(());
    }
    Err(DumpError::Io(io::Error::other(
        "the data read back differs from the data written",
    )))
}

fn refused<E>(store: &OutdatedStore<'_, E>, file: &Path, error: DumpError) -> OpenError {
    let place = store.path.display();
    let what = match error {
        DumpError::Store(what) => return OpenError::damaged(place, what),
        DumpError::Io(what) => what.to_string(),
        other => other.to_string(),
    };
    let (place, backup) = (place.to_string(), file.display().to_string());
    OpenError::NoBackup {
        place,
        found: store.identity.format(),
        known: store.migrations.format(),
        backup,
        what,
    }
}
