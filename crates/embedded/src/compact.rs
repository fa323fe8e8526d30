//! Compacts a store by copying its databases.
//!
//! A database keeps the bytes of removed records until it reuses their space, and shrinking it in place does not change
//! that. Each database is therefore copied record by record, and the copy replaces it once it is complete and on disk.
//! Afterwards no file contains bytes of removed records. The content of each database stays the same, so a crash
//! between the two replacements is harmless.

use crate::bulk_load::BulkLoader;
use crate::scan_batch::scan_batch;
use crate::staging::{remove, remove_stale};
use crate::{Identity, OfflineStore, StorePaths};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use voight_engine::store::with_suffix;
use voight_engine::{EngineError, OpenError, PersistentEngine, sync_folder_of};

/// Number of records per batch.
const SCAN_BATCH: usize = 1000;
/// Key that sorts after every record key.
const END_OF_KEYS: [u8; 2] = [u8::MAX; 2];

/// Rewrites the databases of the store at `path`, so that its files hold its records and nothing else.
///
/// The copies temporarily need as much free space as the records. `progress` receives the number of records since its
/// last call. A store that cannot be read to its end is not modified. Blocking.
pub fn compact<E: PersistentEngine>(
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), OpenError> {
    let store = OfflineStore::<E>::open_read_write(path)?;
    // The identity is checked first: a foreign or newer store is not modified.
    let identity = store.identity(path)?;
    let staging = with_suffix(path, ".compacting");
    remove_stale::<E>(&staging)?;
    let outcome = copy_and_swap(store, &identity, path, &staging, progress);
    // Removes the copies, or the original files once the copies have replaced them.
    remove(&staging);
    outcome
}

fn copy_and_swap<E: PersistentEngine>(
    store: OfflineStore<E>,
    identity: &Identity,
    path: &Path,
    staging: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), OpenError> {
    let store_paths = StorePaths::for_store(path);
    let staging_paths = StorePaths::for_store(staging);
    let mut parts = vec![(store.main, store_paths.main, staging_paths.main)];
    parts.extend(
        store
            .evidence
            .map(|evidence| (evidence, store_paths.evidence, staging_paths.evidence)),
    );
    for (engine, path, copy) in &parts {
        let copy_result = copy_database(engine, identity, copy, progress);
        let copy_result = copy_result.and_then(|()| {
            copy_permissions(path, copy).map_err(|error| OpenError::io(copy.display(), error))
        });
        copy_result.map_err(|error| error_at(path, error))?;
    }
    // From here on no other process may open the files that are about to be replaced, although they are closed.
    let mut locked_databases = Vec::new();
    for (engine, path, copy) in parts {
        locked_databases.push((engine.close_and_lock(&path)?, path, copy));
    }
    for (_, path, copy) in &locked_databases {
        replace(path, copy).map_err(|error| OpenError::io(path.display(), error))?;
    }
    Ok(())
}

/// Copies every record of a database into a new one, and verifies the copy by reading it back.
fn copy_database<E: PersistentEngine>(
    engine: &E,
    identity: &Identity,
    copy: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), OpenError> {
    let io_error = |error: EngineError| OpenError::io(copy.display(), error);
    let mut loader = BulkLoader::<E>::start(copy, identity)?;
    let source_hash = visit_and_hash(engine, &mut |key, value| {
        progress(1);
        loader.add(key, value)
    })?;
    loader.commit()?;
    let mut copy_engine = loader.into_engine();
    if visit_and_hash(&copy_engine, &mut |_, _| Ok(()))? != source_hash {
        return Err(OpenError::io(
            copy.display(),
            "the data read back differs from the data written",
        ));
    }
    copy_engine.compact().map_err(io_error)
}

/// Passes every entry to `visit` in order, and returns the hash of all entries.
fn visit_and_hash<E: PersistentEngine>(
    engine: &E,
    visit: &mut dyn FnMut(Vec<u8>, Vec<u8>) -> Result<(), OpenError>,
) -> Result<blake3::Hash, OpenError> {
    let io_error = |error: EngineError| OpenError::io("the database", error);
    let view = engine.snapshot().map_err(io_error)?;
    let mut hasher = blake3::Hasher::new();
    let mut from = Vec::new();
    loop {
        let mut entries = Vec::new();
        scan_batch(
            &view,
            from.as_slice()..&END_OF_KEYS,
            SCAN_BATCH,
            &mut entries,
        )
        .map_err(io_error)?;
        let Some((last, _)) = entries.last() else {
            return Ok(hasher.finalize());
        };
        from = [last.as_slice(), &[0]].concat();
        for (key, value) in entries {
            for part in [&key, &value] {
                hasher
                    .update(&(part.len() as u64).to_be_bytes())
                    .update(part);
            }
            visit(key, value)?;
        }
    }
}

/// Copies owner and permissions of a database to its copy. A privileged operator may run the compaction.
fn copy_permissions(path: &Path, copy: &Path) -> io::Result<()> {
    let original = fs::metadata(path)?;
    fs::set_permissions(copy, original.permissions())?;
    chown_recursively(copy, &original)
}

fn chown_recursively(path: &Path, original: &Metadata) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if (metadata.uid(), metadata.gid()) != (original.uid(), original.gid()) {
        chown(path, Some(original.uid()), Some(original.gid()))?;
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            chown_recursively(&entry?.path(), original)?;
        }
    }
    Ok(())
}

/// Replaces a database with its copy atomically. A directory cannot be renamed over an existing one, so the two are
/// exchanged.
fn replace(path: &Path, copy: &Path) -> io::Result<()> {
    if path.is_dir() {
        renameat_with(CWD, copy, CWD, path, RenameFlags::EXCHANGE)?;
    } else {
        fs::rename(copy, path)?;
    }
    sync_folder_of(path)
}

/// Moves an error to the database at `path`, because the operator does not know the path of the copy.
fn error_at(path: &Path, error: OpenError) -> OpenError {
    match error {
        OpenError::Io { what, .. } => {
            OpenError::io(path.display(), format!("it cannot be compacted: {what}"))
        }
        error => error,
    }
}
