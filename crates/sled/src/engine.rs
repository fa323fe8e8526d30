//! sled as an engine.
//!
//! Uses one tree and only the basic operations of sled: open, get, range, batches and flush. This adapter adds what
//! sled lacks: snapshots, by keeping replaced values while a snapshot needs them, and durability, by a second sync.

use crate::commit_counter;
use crate::database::{State, close, start};
use crate::directory;
use crate::error::SledError;
use crate::layout::{LARGEST_VALUE, SEGMENT, log_of};
use crate::snapshot::SledSnapshot;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use voight_engine::{Batch, Engine, EngineError, OpenError, has_free_space, open_private};

/// The default tree of sled, and the tree with the batch count.
const TREES: [&[u8]; 2] = [b"__sled__default", commit_counter::TREE];
/// Free space that opening may need: an index of the log, and a part of a new segment. No batch starts with less: after
/// a write without space some reads fail, too, because a read may complete pending writes.
const MIN_FREE_BYTES: u64 = SEGMENT as u64;
/// Minimum cache size in bytes, below which sled cannot divide it among its shards.
const SMALLEST_CACHE: usize = 1 << 20;

/// Engine on a sled directory.
pub struct SledEngine {
    path: PathBuf,
    cache_bytes: usize,
    state: Arc<State>,
    /// Serialises writers and reopening.
    writing: Mutex<()>,
}

impl SledEngine {
    /// Opens or creates the directory at `path`.
    ///
    /// # Errors
    ///
    /// A directory of another program is rejected and not modified. A damaged index of the log is reported with
    /// instructions for its repair.
    pub fn open(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        let cache_bytes = cache_bytes.max(SMALLEST_CACHE);
        let is_new = directory::is_missing(path)?
            && create(path).map_err(|error| OpenError::io(path.display(), error))?;
        directory::check(path)?;
        let database = start(path, cache_bytes).map_err(|error| {
            if is_new {
                // Removes a failed creation. If this fails too, the next start continues with the existing files.
                drop(fs::remove_dir_all(path));
            }
            error.at_path(path)
        })?;
        if database
            .database
            .tree_names()
            .iter()
            .any(|name| !TREES.contains(&name.as_ref()))
        {
            return Err(OpenError::NotAStore {
                place: path.display().to_string(),
            });
        }
        keep_private(path).map_err(|error| OpenError::io(path.display(), error))?;
        let state = Arc::new(State::new(database));
        Ok(Self {
            path: path.to_owned(),
            cache_bytes,
            state,
            writing: Mutex::new(()),
        })
    }
}

impl Engine for SledEngine {
    type Snapshot = SledSnapshot;

    fn name(&self) -> &'static str {
        "sled"
    }

    fn snapshot(&self) -> Result<SledSnapshot, EngineError> {
        let database = self.state.read();
        let database = database.as_ref().ok_or(EngineError::Stale)?;
        Ok(SledSnapshot::new(
            &self.state,
            &database.opening,
            &database.current_version,
        ))
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        check_sizes(batch)?;
        if !self.has_free_space()? {
            return Err(EngineError::Full(
                "there is no space for another part of sled's log".into(),
            ));
        }
        let _writing_guard = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let undo_entries = self
            .state
            .read()
            .as_ref()
            .ok_or(EngineError::Stale)?
            .replaced_by(batch)?;
        let new_version = self
            .state
            .write()
            .as_ref()
            .ok_or(EngineError::Stale)?
            .write(batch, undo_entries)?;
        self.state
            .read()
            .as_ref()
            .ok_or(EngineError::Stale)?
            .flush()?;
        // Only durable batches are visible; until here, every snapshot undoes the batch.
        Ok(self
            .state
            .write()
            .as_mut()
            .ok_or(EngineError::Stale)?
            .publish(new_version)?)
    }

    /// Closes and reopens the directory, which reads everything from disk. Without space for that it stays open as it
    /// is.
    fn recover(&self) -> Result<(), EngineError> {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        // sled writes when it opens a directory. The open database can still be read, at the version before the failed
        // batch.
        if !self.has_free_space()? {
            return Err(EngineError::Full(
                "there is no space to open the folder again".into(),
            ));
        }
        let mut state = self.state.write();
        close(&mut state);
        if !directory::is_unlocked(&self.path).map_err(EngineError::opening)? {
            return Err(EngineError::Io("sled does not let go of its folder".into()));
        }
        *state = Some(start(&self.path, self.cache_bytes).map_err(SledError::reopening)?);
        Ok(())
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(has_free_space(&self.path, MIN_FREE_BYTES)?)
    }
}

impl Drop for SledEngine {
    /// Releases the directory, even if snapshots exist.
    fn drop(&mut self) {
        close(&mut self.state.write());
    }
}

fn check_sizes(batch: &Batch) -> Result<(), SledError> {
    let largest = batch
        .iter()
        .map(|(_, value)| value.map_or(0, |value| value.len()))
        .max()
        .unwrap_or(0);
    if largest > LARGEST_VALUE {
        Err(SledError::TooLarge(largest))
    } else {
        Ok(())
    }
}

/// Creates a directory with an empty log for sled. Returns `true` if the directory did not exist before.
fn create(path: &Path) -> std::io::Result<bool> {
    let is_new = !path.try_exists()?;
    if is_new {
        fs::DirBuilder::new().mode(0o700).create(path)?;
    }
    open_private(&log_of(path))?;
    Ok(is_new)
}

/// Removes the permissions of group and others from the directory. Both could read files that sled creates in it.
fn keep_private(path: &Path) -> std::io::Result<()> {
    if fs::metadata(path)?.permissions().mode().trailing_zeros() >= 6 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}
