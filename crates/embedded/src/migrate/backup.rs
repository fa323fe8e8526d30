//! Backup of a store before its migration.

use super::OutdatedStore;
use crate::dump::{DumpError, DumpSummary, read_dump, timestamp_for_file_name, write_dump};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use voight_domain::vocabulary::Timestamp;
use voight_engine::store::with_suffix;
use voight_engine::{AtomicFile, Engine, OpenError};

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
    let draft_path = with_suffix(store.path, &format!(".before-format-{format}.partial"));
    let backup_result = AtomicFile::private(draft_path)
        .map_err(DumpError::Io)
        .and_then(|draft| {
            let summary = write(store, &draft)?;
            verify_backup(draft.path(), summary)?;
            Ok(draft.persist(&file)?)
        });
    backup_result.map_err(|error| no_backup_error(store, &file, error))?;
    Ok(file)
}

fn write<E: Engine>(
    store: &OutdatedStore<'_, E>,
    draft: &AtomicFile,
) -> Result<DumpSummary, DumpError> {
    let io_error = |error| DumpError::Io(io::Error::other(error));
    let evidence = store.evidence.snapshot().map_err(io_error)?;
    let main = store.main.snapshot().map_err(io_error)?;
    let mut out = BufWriter::new(draft.file());
    let summary = write_dump(&store.identity, &main, Some(&evidence), &mut out)?;
    out.flush()?;
    draft.sync()?;
    Ok(summary)
}

/// Verifies the backup: reads the file to its end and compares the summaries.
fn verify_backup(draft: &Path, expected: DumpSummary) -> Result<(), DumpError> {
    let (_, read) = read_dump(BufReader::new(File::open(draft)?))?;
    if read == expected {
        return Ok(());
    }
    Err(DumpError::Io(io::Error::other(
        "the data read back differs from the data written",
    )))
}

fn no_backup_error<E>(store: &OutdatedStore<'_, E>, file: &Path, error: DumpError) -> OpenError {
    let place = store.path.display();
    let reason = match error {
        DumpError::Store(what) => return OpenError::damaged(place, what),
        DumpError::Io(what) => what.to_string(),
        error => error.to_string(),
    };
    let place = place.to_string();
    let backup = file.display().to_string();
    OpenError::NoBackup {
        place,
        found: store.identity.format(),
        known: store.migrations.format(),
        backup,
        what: reason,
    }
}
