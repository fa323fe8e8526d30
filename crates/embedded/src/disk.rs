//! Disk use of a store and free space of its file system.

use crate::StorePaths;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use voight_domain::ports::{DiskUse, StoreError};
use voight_domain::vocabulary::Timestamp;
use voight_engine::store::free_bytes;

/// Interval between queries of the free space, so that not every batch of evidence makes a system call. Evidence that
/// arrives within it may take a few MiB of the reserve.
const RESERVE_PROBE_INTERVAL: Duration = Duration::from_millis(10);

/// Paths of a store's files, and the free space that evidence must not use.
#[derive(Debug)]
pub struct DiskMonitor {
    paths: StorePaths,
    reserve: u64,
    /// Time of the last query that found enough free space.
    reserve_probed_at: Mutex<Option<Timestamp>>,
}

impl DiskMonitor {
    /// Monitors the files of the store at `path` and keeps `reserve` bytes free of evidence.
    pub fn new(path: &Path, reserve: u64) -> Self {
        Self {
            paths: StorePaths::for_store(path),
            reserve,
            reserve_probed_at: Mutex::default(),
        }
    }

    /// Returns the disk use of the store and the free space.
    pub fn disk_use(&self) -> Result<DiskUse, StoreError> {
        Ok(DiskUse {
            main: disk_bytes(&self.paths.main),
            evidence: disk_bytes(&self.paths.evidence),
            free: self.free()?,
            reserve: self.reserve,
        })
    }

    /// Returns an error if less than the reserve is free. Any visitor can send evidence; the reserve is for lookups.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] if the reserve would be used, [`StoreError::NotApplied`] if the free space cannot be
    /// queried.
    pub(crate) fn ensure_reserve(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut probed_at = self
            .reserve_probed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if self.reserve == 0
            || probed_at.is_some_and(|last_probe| {
                (last_probe..last_probe.saturating_add(RESERVE_PROBE_INTERVAL)).contains(&now)
            })
        {
            return Ok(());
        }
        let free = self.free()?;
        if free >= self.reserve {
            *probed_at = Some(now);
            return Ok(());
        }
        Err(StoreError::Full(format!(
            "{free} bytes are free, and {} are kept for the ledger",
            self.reserve
        )))
    }

    fn free(&self) -> Result<u64, StoreError> {
        let free = free_bytes(&self.paths.main);
        free.map_err(|error| {
            StoreError::NotApplied(format!("the free space cannot be read: {error}"))
        })
    }
}

/// Returns the size of a file, or of all files in a directory, in bytes.
pub fn disk_bytes(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else {
        return path.metadata().map_or(0, |file| file.len());
    };
    entries
        .filter_map(|entry| Some(disk_bytes(&entry.ok()?.path())))
        .sum()
}

/// Returns the modification time of a file, or the latest of a directory and the files in it.
pub fn last_modified(path: &Path) -> io::Result<Timestamp> {
    let since = |file: fs::Metadata| {
        file.modified()?
            .duration_since(std::time::UNIX_EPOCH)
            .map_err(io::Error::other)
    };
    let mut last = since(path.metadata()?)?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            last = last.max(since(entry?.metadata()?)?);
        }
    }
    Ok(Timestamp::from_millis(
        i64::try_from(last.as_millis()).unwrap_or(i64::MAX),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_use_counts_files_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("db"), [0; 100]).unwrap();
        fs::write(folder.path().join("store.evidence"), [0; 10]).unwrap();
        let disk_use = DiskMonitor::new(&path, 7).disk_use().unwrap();
        assert_eq!(disk_use.main, 100);
        assert_eq!(disk_use.evidence, 10);
        assert_eq!(disk_use.reserve, 7);
        assert!(disk_use.free > 0);
        assert!(last_modified(&path).unwrap() > "2026-01-01T00:00:00Z".parse().unwrap());
    }

    #[test]
    fn reserve_is_exact_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let now = Timestamp::from_millis(0);
        assert_eq!(DiskMonitor::new(path, 0).ensure_reserve(now), Ok(()));
        assert_eq!(DiskMonitor::new(path, 1).ensure_reserve(now), Ok(()));
        assert!(matches!(
            DiskMonitor::new(path, u64::MAX).ensure_reserve(now),
            Err(StoreError::Full(_))
        ));
        assert!(matches!(
            DiskMonitor::new(&path.join("gone"), 1).ensure_reserve(now),
            Err(StoreError::NotApplied(_))
        ));
    }

    #[test]
    fn free_space_probe_is_cached_after_success_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let site = DiskMonitor::new(&path, 1);
        let now = Timestamp::from_millis(1_000);
        assert!(site.ensure_reserve(now).is_err(), "there is no folder yet");
        fs::create_dir(&path).unwrap();
        assert_eq!(site.ensure_reserve(now), Ok(()));
        fs::remove_dir(&path).unwrap();
        assert_eq!(
            site.ensure_reserve(now.saturating_add(RESERVE_PROBE_INTERVAL / 2)),
            Ok(())
        );
        assert!(
            site.ensure_reserve(now.saturating_add(RESERVE_PROBE_INTERVAL))
                .is_err()
        );
        assert!(
            site.ensure_reserve(now.saturating_sub(RESERVE_PROBE_INTERVAL))
                .is_err(),
            "a clock that was set back"
        );
    }
}
