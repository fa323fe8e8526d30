//! Stores that are built under a temporary name and renamed when they are complete.

use crate::StorePaths;
use std::fs;
use std::path::Path;
use voight_engine::{OpenError, PersistentEngine};

/// Page cache of each database during the build, in bytes.
pub(crate) const CACHE_BYTES: usize = 16 << 20;

/// Removes the files that a crash has left at `staging`. Fails if another process uses them.
pub(crate) fn remove_stale<E: PersistentEngine>(staging: &Path) -> Result<(), OpenError> {
    if staging.exists()
        && let Err(in_use @ OpenError::InUse { .. }) = E::open_at(staging, CACHE_BYTES)
    {
        return Err(in_use);
    }
    remove(staging);
    Ok(())
}

/// Removes all existing files of the store at `staging`.
pub(crate) fn remove(staging: &Path) {
    for path in StorePaths::for_store(staging).paths() {
        let _ = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }
}
