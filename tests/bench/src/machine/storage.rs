//! Locations of the measured stores.

use crate::cleanup::{Cleanup, ScratchDir};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Magic number of tmpfs in Linux.
const TMPFS: u64 = 0x0102_1994;
/// Usual mount point of a tmpfs.
const RAM: &str = "/dev/shm";

/// Disk, or memory as the limit of what software can reach with an ideal disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StorageKind {
    /// File system in memory.
    Ram,
    /// File system on a disk.
    Disk,
}

impl StorageKind {
    /// Returns the name in the JSON output.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Ram => "ram",
            Self::Disk => "disk",
        }
    }
}

/// Location for stores.
#[derive(Debug, Clone)]
pub(crate) struct StorageLocation {
    /// Kind of storage.
    pub(crate) kind: StorageKind,
    parent: PathBuf,
}

impl StorageLocation {
    /// Returns the file system in memory, if this machine has one.
    pub(crate) fn ram() -> Option<Self> {
        let parent = PathBuf::from(RAM);
        is_in_memory(&parent).then_some(Self {
            kind: StorageKind::Ram,
            parent,
        })
    }

    /// Returns the location on the disk of this directory.
    pub(crate) fn disk(dir: &Path) -> Result<Self> {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        ensure!(
            !is_in_memory(dir),
            "{} is in memory; name a directory on a disk with --disk",
            dir.display()
        );
        Ok(Self {
            kind: StorageKind::Disk,
            parent: dir.to_owned(),
        })
    }

    /// Creates a temporary directory in this location. Existing files are not touched.
    pub(crate) fn dir(&self, cleanup: &Cleanup) -> Result<ScratchDir> {
        cleanup.dir(&self.parent)
    }
}

fn is_in_memory(dir: &Path) -> bool {
    rustix::fs::statfs(dir).is_ok_and(|actual| u64::try_from(actual.f_type) == Ok(TMPFS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_rejected_as_a_disk() {
        let Some(ram) = StorageLocation::ram() else {
            return;
        };
        let error = StorageLocation::disk(&ram.parent).unwrap_err().to_string();
        assert!(error.contains("--disk"), "{error}");
    }

    #[test]
    fn location_directories_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        std::fs::write(parent.path().join("mine"), "kept").unwrap();
        let location = StorageLocation {
            kind: StorageKind::Disk,
            parent: parent.path().to_owned(),
        };
        let dir = location.dir(&Cleanup::default()).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        drop(dir);
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
