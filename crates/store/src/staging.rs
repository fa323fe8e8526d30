//! Stores that are built beside their place, and renamed when they are whole.

use crate::{OpenError, PersistentEngine, StorePaths};
use std::fs;
use std::path::Path;

/// Memory for pages of each database that is built.
pub(crate) const CACHE_BYTES: usize = 16 << 20;

/// Removes what work that crashed has left at `staging`, unless other work is going on there.
pub(crate) fn remove_stale<E: PersistentEngine>(staging: &Path) -> Result<(), OpenError> {
    if staging.exists()
        && let Err(held @ OpenError::InUse { .. }) = E::open_at(staging, CACHE_BYTES)
    {
        return Err(held);
    }
    remove(staging);
    Ok(())
}

/// Removes the parts of a store, as far as they are there.
pub(crate) fn remove(staging: &Path) {
    for path in StorePaths::for_store(staging).paths() {
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}
