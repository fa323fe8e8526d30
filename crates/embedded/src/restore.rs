//! Restores a store from a dump to an unused path.
//!
//! The store is built under other names in the same directory, verified as [`verify`] verifies any store, and renamed once it
//! is complete and on disk, so that a crash leaves either no store or a complete one. Evidence is renamed first and the sidecar last: a partial result of
//! a crash either fails to open or is a valid store.

use crate::bulk_load::BulkLoader;
use crate::dump::{DumpError, DumpReader, DumpSummary, write_dump};
use crate::staging::{remove, remove_stale};
use crate::verify::{Damage, VerifyReport, verify};
use crate::{DatabaseKind, Identity, OfflineStore, Sidecar, StorePaths};
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use voight_engine::store::with_suffix;
use voight_engine::{Engine, EngineError, OpenError, PersistentEngine, sync_folder_of};

/// Error of a restore. The partial result is removed, and existing files are not modified.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file of the store exists already.
    #[error(
        "{place} already exists, and a store is never replaced: name another path, or move it away first"
    )]
    Occupied {
        /// Path of the existing file.
        place: String,
    },
    /// The dump cannot be read.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// A store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Records of the dump contradict each other.
    #[error(
        "{damaged} of its records are corrupt, so nothing was restored (the first: {first}): take an earlier backup, or copy a \
         distributed store with --quiesce"
    )]
    Inconsistent {
        /// Number of corrupt records.
        damaged: u64,
        /// The first of them.
        first: Damage,
    },
    /// The restored store differs from the dump.
    #[error("the data read back differs from the data written, and is discarded: check the disk")]
    ContentMismatch,
}

/// Restores the store of a dump to the unused `path`.
///
/// Returns the summary of the dump and that of the restored store as read back; the two are equal. `progress` receives
/// the number of records since its last call. Blocking.
///
/// # Errors
///
/// The dump is damaged, or [`verify`] finds corrupt records. Nothing is left at `path` then.
pub fn restore<E: PersistentEngine>(
    dump: &mut DumpReader<impl Read>,
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(DumpSummary, DumpSummary), RestoreError> {
    if let Some(occupied) = StorePaths::for_store(path).first_existing() {
        return Err(RestoreError::Occupied {
            place: occupied.display().to_string(),
        });
    }
    let staging = with_suffix(path, ".restoring");
    remove_stale::<E>(&staging)?;
    let outcome = build::<E>(dump, &staging, progress).and_then(|summaries| {
        move_into_place(&staging, path).map_err(|error| OpenError::io(path.display(), error))?;
        Ok(summaries)
    });
    if outcome.is_err() {
        remove(&staging);
    }
    outcome
}

/// Writes a dump of the store at `path` without modifying the store. Returns the identity and the summary of the dump.
pub fn dump_store<E: PersistentEngine>(
    path: &Path,
    out: &mut impl io::Write,
) -> Result<(Identity, DumpSummary), RestoreError> {
    let store = OfflineStore::<E>::open_read_only(path)?;
    let identity = store.identity(path)?;
    let restore_error =
        |error: EngineError| RestoreError::Open(OpenError::io(path.display(), error));
    let evidence = store
        .evidence
        .as_ref()
        .map(Engine::snapshot)
        .transpose()
        .map_err(restore_error)?;
    let main = store.main.snapshot().map_err(restore_error)?;
    Ok((
        identity,
        write_dump(&identity, &main, evidence.as_ref(), out)?,
    ))
}

fn build<E: PersistentEngine>(
    dump: &mut DumpReader<impl Read>,
    staging: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(DumpSummary, DumpSummary), RestoreError> {
    let paths = StorePaths::for_store(staging);
    let identity = *dump.identity();
    {
        let main = BulkLoader::<E>::start(&paths.main, &identity)?;
        let evidence = BulkLoader::<E>::start(&paths.evidence, &identity)?;
        let mut parts = [main, evidence];
        while let Some(entry) = dump.next_entry()? {
            let [main, evidence] = &mut parts;
            let loader = if entry.part == DatabaseKind::Main {
                main
            } else {
                evidence
            };
            let (key, value) = entry.into_stored();
            loader.add(key, value)?;
            progress(1);
        }
        let [main, evidence] = parts;
        main.close(&paths.main)?;
        evidence.close(&paths.evidence)?;
    }
    Sidecar::for_store(staging).write(&identity)?;
    let summary = dump.summary().ok_or(DumpError::Truncated)?;
    let (_, read_back) = dump_store::<E>(staging, &mut io::sink())?;
    if summary != read_back {
        return Err(RestoreError::ContentMismatch);
    }
    let (
        _,
        VerifyReport {
            damaged, damage, ..
        },
    ) = verify::<E>(staging, &mut |_| {})?;
    match damage.into_iter().next() {
        Some(first) => Err(RestoreError::Inconsistent { damaged, first }),
        None => Ok((summary, read_back)),
    }
}

fn move_into_place(staging: &Path, path: &Path) -> io::Result<()> {
    let from = StorePaths::for_store(staging);
    let to = StorePaths::for_store(path);
    for (from, to) in [
        (from.evidence, to.evidence),
        (from.main, to.main),
        (from.sidecar, to.sidecar),
    ] {
        fs::rename(from, &to)?;
        sync_folder_of(&to)?;
    }
    Ok(())
}
