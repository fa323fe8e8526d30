//! Writing the databases of a store anew.
//!
//! A database keeps the bytes of what was removed until it needs their place for something else, and shrinking it in place does
//! not change that. So each database is copied, record by record, and the copy takes its place when it is whole and on disk:
//! what is in no record any more is then in no file either. Both databases hold the same before and after, so a crash between
//! them does no harm.

use crate::filling::BulkLoader;
use crate::open::beside;
use crate::slice::slice;
use crate::staging::{clear, remove};
use crate::{EngineError, Identity, OfflineStore, OpenError, PersistentEngine, StorePaths, sync_folder_of};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

/// Records that are read at a time.
const SLICE: usize = 1000;
/// Sorts behind every key there is.
const END: [u8; 2] = [u8::MAX; 2];

/// Writes the databases of the store at `path` anew, which takes as much space beside it as its records need. Nothing of what
/// is in no record stays in its files.
///
/// `progress` is told of each further number of records. A store that cannot be read to its end is left as it is. Blocking.
pub fn compact<E: PersistentEngine>(path: &Path, progress: &mut dyn FnMut(u64)) -> Result<(), OpenError> {
    let store = OfflineStore::<E>::change(path)?;
    // Whose store it is is asked first: a foreign or newer one is left as it is.
    let identity = store.identity(path)?;
    let staging = beside(path, ".compacting");
    clear::<E>(&staging)?;
    let outcome = rewritten(store, &identity, (path, &staging), progress);
    // The copies; or, once these have their places, what they were made of.
    remove(&staging);
    outcome
}

fn rewritten<E: PersistentEngine>(
    store: OfflineStore<E>,
    identity: &Identity,
    (path, staging): (&Path, &Path),
    progress: &mut dyn FnMut(u64),
) -> Result<(), OpenError> {
    let (places, copies) = (StorePaths::of(path), StorePaths::of(staging));
    let mut parts = vec![(store.main, places.main, copies.main)];
    parts.extend(store.evidence.map(|evidence| (evidence, places.evidence, copies.evidence)));
    for (engine, place, copy) in &parts {
        let written = write_again(engine, identity, copy, progress);
        let guarded =
            written.and_then(|()| guard_as(place, copy).map_err(|error| OpenError::io(copy.display(), error)));
        guarded.map_err(|error| at(place, error))?;
    }
    // From here on nobody else may open what is about to be replaced, though it is closed.
    let mut held = Vec::new();
    for (engine, place, copy) in parts {
        held.push((engine.close_and_hold(&place)?, place, copy));
    }
    for (_, place, copy) in &held {
        replace(place, copy).map_err(|error| OpenError::io(place.display(), error))?;
    }
    Ok(())
}

/// Copies every record of a database into a new one, and reads it back.
fn write_again<E: PersistentEngine>(
    engine: &E,
    identity: &Identity,
    copy: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), OpenError> {
    let failed = |error: EngineError| OpenError::io(copy.display(), error);
    let mut filling = BulkLoader::<E>::start(copy, identity)?;
    let read = hashed(engine, &mut |key, value| {
        progress(1);
        filling.add(key, value)
    })?;
    filling.commit()?;
    let mut written = filling.into_engine();
    if hashed(&written, &mut |_, _| Ok(()))? != read {
        return Err(OpenError::io(copy.display(), "what was written is not what is read back"));
    }
    written.compact().map_err(failed)
}

/// Shows every entry to `visit`, in order; the hash of all.
fn hashed<E: PersistentEngine>(
    engine: &E,
    visit: &mut dyn FnMut(Vec<u8>, Vec<u8>) -> Result<(), OpenError>,
) -> Result<blake3::Hash, OpenError> {
    let failed = |error: EngineError| OpenError::io("the database", error);
    let view = engine.snapshot().map_err(failed)?;
    let (mut hasher, mut from) = (blake3::Hasher::new(), Vec::new());
    loop {
        let mut entries = Vec::new();
        slice(&view, (&from, &END), SLICE, &mut entries).map_err(failed)?;
        let Some((last, _)) = entries.last() else { return Ok(hasher.finalize()) };
        from = [last.as_slice(), &[0]].concat();
        for (key, value) in entries {
            for part in [&key, &value] {
                hasher.update(&(part.len() as u64).to_be_bytes()).update(part);
            }
            visit(key, value)?;
        }
    }
}

/// Gives a copy the owner and the permissions of its database: an operator with more rights than the service compacts it, too.
fn guard_as(place: &Path, copy: &Path) -> io::Result<()> {
    let original = fs::metadata(place)?;
    fs::set_permissions(copy, original.permissions())?;
    give(copy, (original.uid(), original.gid()))
}

fn give(path: &Path, owner: (u32, u32)) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if (found.uid(), found.gid()) != owner {
        chown(path, Some(owner.0), Some(owner.1))?;
    }
    if found.is_dir() {
        for entry in fs::read_dir(path)? {
            give(&entry?.path(), owner)?;
        }
    }
    Ok(())
}

/// Puts a copy where its database is, at once. A folder cannot be renamed to one that is there, so the two are exchanged.
fn replace(place: &Path, copy: &Path) -> io::Result<()> {
    if place.is_dir() {
        renameat_with(CWD, copy, CWD, place, RenameFlags::EXCHANGE)?;
    } else {
        fs::rename(copy, place)?;
    }
    sync_folder_of(place)
}

/// The same error, of the database at `place`: its copy is none of the operator's files.
fn at(place: &Path, error: OpenError) -> OpenError {
    match error {
        OpenError::Io { what, .. } => OpenError::io(place.display(), format!("it cannot be written anew: {what}")),
        error => error,
    }
}
