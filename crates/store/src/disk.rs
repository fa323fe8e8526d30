//! What a store takes up on its disk, and what is left there.

use crate::StorePaths;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use voight_domain::ports::{DiskUse, StoreError};
use voight_domain::vocabulary::Timestamp;

/// How long space that was found is taken to be there still, so that not every batch of evidence asks the system. What comes
/// in that time may be taken from the reserve: a few MiB.
const RESERVE_PROBE_INTERVAL: Duration = Duration::from_millis(10);

/// Where the files of a store lie, and how much space beside them is not for evidence.
#[derive(Debug)]
pub struct DiskMonitor {
    paths: StorePaths,
    reserve: u64,
    /// When more than the reserve was last found.
    reserve_probed_at: Mutex<Option<Timestamp>>,
}

impl DiskMonitor {
    /// The files of the store at `path`, with so many bytes in reserve.
    pub fn new(path: &Path, reserve: u64) -> Self {
        Self { paths: StorePaths::for_store(path), reserve, reserve_probed_at: Mutex::default() }
    }

    /// What is taken up, and what is left.
    pub fn disk_use(&self) -> Result<DiskUse, StoreError> {
        Ok(DiskUse {
            main: disk_bytes(&self.paths.main),
            evidence: disk_bytes(&self.paths.evidence),
            free: self.free()?,
            reserve: self.reserve,
        })
    }

    /// `Full` where no more than the reserve is left. Anybody can send evidence; the last of the space is for lookups.
    pub(crate) fn ensure_reserve(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut spared_at = self.reserve_probed_at.lock().unwrap_or_else(PoisonError::into_inner);
        if self.reserve == 0
            || spared_at.is_some_and(|at| (at..at.saturating_add(RESERVE_PROBE_INTERVAL)).contains(&now))
        {
            return Ok(());
        }
        let free = self.free()?;
        if free >= self.reserve {
            *spared_at = Some(now);
            return Ok(());
        }
        Err(StoreError::Full(format!("{free} bytes are free, and {} are kept for the ledger", self.reserve)))
    }

    fn free(&self) -> Result<u64, StoreError> {
        let free = free_beside(&self.paths.main);
        free.map_err(|error| StoreError::NotApplied(format!("the file system does not tell: {error}")))
    }
}

/// Whether so many bytes are free on the file system of `path`, which must be there. A quota is not seen.
pub fn has_free_space(path: &Path, bytes: u64) -> io::Result<bool> {
    Ok(free_beside(path)? >= bytes)
}

fn free_beside(path: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

/// The bytes of a file, or of all files in a folder.
pub fn disk_bytes(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else {
        return path.metadata().map_or(0, |file| file.len());
    };
    entries.filter_map(|entry| Some(disk_bytes(&entry.ok()?.path()))).sum()
}

/// When a file, or any file in a folder, was last written to, as far as the file system knows.
pub fn last_modified(path: &Path) -> io::Result<Timestamp> {
    let since = |file: fs::Metadata| file.modified()?.duration_since(std::time::UNIX_EPOCH).map_err(io::Error::other);
    let mut last = since(path.metadata()?)?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            last = last.max(since(entry?.metadata()?)?);
        }
    }
    Ok(Timestamp::from_millis(i64::try_from(last.as_millis()).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_a_folder_are_measured_on_a_disk_with_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("db"), [0; 100]).unwrap();
        fs::write(folder.path().join("store.evidence"), [0; 10]).unwrap();
        let found = DiskMonitor::new(&path, 7).disk_use().unwrap();
        assert_eq!((found.main, found.evidence, found.reserve), (100, 10, 7));
        assert!(found.free > 0);
        assert!(last_modified(&path).unwrap() > "2026-01-01T00:00:00Z".parse().unwrap());
    }

    #[test]
    fn a_disk_has_room_for_nothing_and_not_for_everything() {
        let here = std::env::temp_dir();
        assert!(has_free_space(&here, 0).unwrap());
        assert!(!has_free_space(&here, u64::MAX).unwrap());
        assert!(has_free_space(Path::new("/gone/for/good"), 0).is_err());
    }

    #[test]
    fn the_reserve_is_spared_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let now = Timestamp::from_millis(0);
        assert_eq!(DiskMonitor::new(path, 0).ensure_reserve(now), Ok(()));
        assert_eq!(DiskMonitor::new(path, 1).ensure_reserve(now), Ok(()));
        assert!(matches!(DiskMonitor::new(path, u64::MAX).ensure_reserve(now), Err(StoreError::Full(_))));
        assert!(matches!(DiskMonitor::new(&path.join("gone"), 1).ensure_reserve(now), Err(StoreError::NotApplied(_))));
    }

    #[test]
    fn space_is_looked_for_again_after_a_while_and_at_once_where_there_was_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let site = DiskMonitor::new(&path, 1);
        let now = Timestamp::from_millis(1_000);
        assert!(site.ensure_reserve(now).is_err(), "there is no folder yet");
        fs::create_dir(&path).unwrap();
        assert_eq!(site.ensure_reserve(now), Ok(()));
        fs::remove_dir(&path).unwrap();
        assert_eq!(site.ensure_reserve(now.saturating_add(RESERVE_PROBE_INTERVAL / 2)), Ok(()));
        assert!(site.ensure_reserve(now.saturating_add(RESERVE_PROBE_INTERVAL)).is_err());
        assert!(site.ensure_reserve(now.saturating_sub(RESERVE_PROBE_INTERVAL)).is_err(), "a clock that was set back");
    }
}
