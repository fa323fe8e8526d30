//! Putting a store where none is.
//!
//! It is built under other names beside its place and renamed when it is whole and on disk, so that a crash leaves either no
//! store or a whole one. Evidence is renamed first and the sidecar last: whatever a crash leaves between is refused at start
//! or opens as what it is.

use crate::dump::{DumpError, DumpReader, DumpSummary, write_dump};
use crate::filling::BulkLoader;
use crate::open::with_suffix;
use crate::staging::{remove, remove_stale};
use crate::{
    DatabaseKind, Engine, EngineError, Identity, OfflineStore, OpenError, PersistentEngine, Sidecar, StorePaths,
    sync_folder_of,
};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Why a store was not put in its place. Nothing is left of it, and what was there is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// There is something already.
    #[error(
        "{place} is there already, and a store is only put where none is: name another place, or move that away first"
    )]
    Occupied {
        /// What is there.
        place: String,
    },
    /// The dump is at fault.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// A store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The new store does not hold what the dump holds.
    #[error("what was written is not what is read back: nothing was kept; check the disk")]
    ContentMismatch,
}

/// Puts the store of a dump at `path`, where nothing is. Returns what the dump says it holds, and what was read back from the
/// new store: the same.
///
/// `progress` is told of each further number of records. Blocking.
pub fn restore<E: PersistentEngine>(
    dump: &mut DumpReader<impl Read>,
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(DumpSummary, DumpSummary), RestoreError> {
    if let Some(occupied) = StorePaths::for_store(path).first_existing() {
        return Err(RestoreError::Occupied { place: occupied.display().to_string() });
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

/// Writes the dump of the store at `path`; nothing is written to the store. Returns whose dump it is and what it holds.
pub fn dump_store<E: PersistentEngine>(
    path: &Path,
    out: &mut impl io::Write,
) -> Result<(Identity, DumpSummary), RestoreError> {
    let store = OfflineStore::<E>::open_read_only(path)?;
    let identity = store.identity(path)?;
    let failed = |error: EngineError| RestoreError::Open(OpenError::io(path.display(), error));
    let evidence = store.evidence.as_ref().map(Engine::snapshot).transpose().map_err(failed)?;
    let main = store.main.snapshot().map_err(failed)?;
    Ok((identity, write_dump(&identity, &main, evidence.as_ref(), out)?))
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
            match entry.part {
                DatabaseKind::Main => main.add(entry.key, entry.value)?,
                DatabaseKind::Evidence => evidence.add(entry.key, entry.value)?,
            }
            progress(1);
        }
        let [main, evidence] = parts;
        main.close(&paths.main)?;
        evidence.close(&paths.evidence)?;
    }
    Sidecar::for_store(staging).write(&identity)?;
    let said = dump.summary().ok_or(DumpError::Truncated)?;
    let (_, read_back) = dump_store::<E>(staging, &mut io::sink())?;
    if said == read_back { Ok((said, read_back)) } else { Err(RestoreError::ContentMismatch) }
}

fn move_into_place(staging: &Path, path: &Path) -> io::Result<()> {
    let (from, to) = (StorePaths::for_store(staging), StorePaths::for_store(path));
    for (from, to) in [(from.evidence, to.evidence), (from.main, to.main), (from.sidecar, to.sidecar)] {
        fs::rename(from, &to)?;
        sync_folder_of(&to)?;
    }
    Ok(())
}
