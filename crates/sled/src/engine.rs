//! sled as an engine.
//!
//! One tree, and of sled only what is needed: open, get, range, batches and flush. What sled does not have is added here:
//! snapshots, by keeping what a batch replaces as long as somebody reads it, and durability, by a second sync.

use crate::error::SledError;
use crate::flush::flush;
use crate::folder::{self, LARGEST_VALUE, SEGMENT, log_of};
use crate::index;
use crate::mark::{self, CommitCounter};
use crate::snapshot::SledSnapshot;
use crate::version::{SnapshotVersion, UndoEntries};
use sled::{Config, Db};
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use voight_store::{Batch, Engine, EngineError, OpenError, has_free_space, open_private};

/// The tree that sled makes by itself, and the one for the count of batches.
const TREES: [&[u8]; 2] = [b"__sled__default", mark::TREE];
/// The bytes that an opening may need: an index of the log, and a part of a new segment. No batch is begun with less: after
/// a write that found no space sled fails some reads, too, because a read may finish what a write has left to do.
const MIN_FREE_BYTES: u64 = SEGMENT as u64;
/// Less memory than this sled cannot divide among the parts of its cache.
const SMALLEST_CACHE: usize = 1 << 20;

/// A sled folder.
pub struct SledEngine {
    path: PathBuf,
    cache_bytes: usize,
    state: Arc<State>,
    /// Held by the one who writes or reopens.
    writing: Mutex<()>,
}

/// What the engine and its snapshots share: a database, or none after a reopening has failed. Readers hold the lock for one
/// step of theirs, so none of them meets a batch that is half applied; the writer holds it while it writes to memory, not
/// while it syncs.
#[derive(Default)]
pub(crate) struct State(RwLock<Option<OpenDatabase>>);

/// A database that is open.
pub(crate) struct OpenDatabase {
    pub(crate) database: Db,
    /// sled's log; nothing but syncs goes through this.
    log: File,
    /// How many batches are durable.
    commit_counter: CommitCounter,
    /// The moment after the last batch that is durable.
    current_version: Arc<SnapshotVersion>,
    /// Tells what was opened from what was opened before.
    pub(crate) opening: Arc<()>,
}

impl SledEngine {
    /// Opens the folder at `path`, or creates it. A folder that something else wrote is refused and left as it is; so is one
    /// whose index of the log is damaged, with what to do about it.
    pub fn open(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        let cache_bytes = cache_bytes.max(SMALLEST_CACHE);
        let is_new = folder::is_missing(path)? && create(path).map_err(|error| OpenError::io(path.display(), error))?;
        folder::check(path)?;
        let opened = start(path, cache_bytes).map_err(|error| {
            if is_new {
                // Nothing is left of a creation that failed; if this fails too, the next opening takes up what is there.
                drop(fs::remove_dir_all(path));
            }
            error.at_path(path)
        })?;
        if opened.database.tree_names().iter().any(|name| !TREES.contains(&name.as_ref())) {
            return Err(OpenError::NotAStore { place: path.display().to_string() });
        }
        keep_private(path).map_err(|error| OpenError::io(path.display(), error))?;
        let state = Arc::new(State(RwLock::new(Some(opened))));
        Ok(Self { path: path.to_owned(), cache_bytes, state, writing: Mutex::new(()) })
    }
}

impl Engine for SledEngine {
    type Snapshot = SledSnapshot;

    fn name(&self) -> &'static str {
        "sled"
    }

    fn snapshot(&self) -> Result<SledSnapshot, EngineError> {
        let opened = self.state.read();
        let opened = opened.as_ref().ok_or(EngineError::Stale)?;
        Ok(SledSnapshot::new(&self.state, &opened.opening, &opened.current_version))
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        check_sizes(batch)?;
        if !self.has_free_space()? {
            return Err(EngineError::Full("there is no space for another part of sled's log".into()));
        }
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let replaced = self.state.read().as_ref().ok_or(EngineError::Stale)?.replaced_by(batch)?;
        let after = self.state.write().as_ref().ok_or(EngineError::Stale)?.write(batch, replaced)?;
        self.state.read().as_ref().ok_or(EngineError::Stale)?.flush()?;
        // Only what is durable is shown; until here, every snapshot is turned back to the moment before.
        Ok(self.state.write().as_mut().ok_or(EngineError::Stale)?.publish(after)?)
    }

    /// Closes the folder and opens it again, which reads everything from disk. Without space for that it stays as it is.
    fn recover(&self) -> Result<(), EngineError> {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        // sled writes when it opens a folder. What is open can still be read, at the moment before the failed batch.
        if !self.has_free_space()? {
            return Err(EngineError::Full("there is no space to open the folder again".into()));
        }
        let mut state = self.state.write();
        close(&mut state);
        if !folder::is_unlocked(&self.path).map_err(EngineError::opening)? {
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
    /// Lets go of the folder, even if there are snapshots left.
    fn drop(&mut self) {
        close(&mut self.state.write());
    }
}

impl State {
    // Nothing under the lock is left half-way by a panic: a moment that has ended is never written to again.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Option<OpenDatabase>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<OpenDatabase>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenDatabase {
    fn replaced_by(&self, batch: &Batch) -> Result<UndoEntries, SledError> {
        batch.iter().map(|(key, _)| Ok((key.to_vec(), self.database.get(key)?))).collect()
    }

    /// Writes to memory; returns the moment after it. Fails for good once it has failed: nobody knows then what is in memory.
    fn write(&self, batch: &Batch, replaced: UndoEntries) -> Result<Arc<SnapshotVersion>, SledError> {
        let after = self.current_version.supersede(replaced).ok_or(SledError::Failed)?;
        let mut changes = sled::Batch::default();
        for (key, value) in batch.iter() {
            match value {
                Some(value) => changes.insert(key, value),
                None => changes.remove(key),
            }
        }
        self.database.apply_batch(changes)?;
        self.commit_counter.count()?;
        Ok(after)
    }

    /// Shows the batch that was written last, which is durable.
    fn publish(&mut self, after: Arc<SnapshotVersion>) -> Result<(), SledError> {
        self.commit_counter.advance()?;
        self.current_version = after;
        Ok(())
    }

    fn flush(&self) -> Result<(), SledError> {
        flush(&self.database, &self.log)
    }
}

/// sled panics when it cannot sync what it closes. Whatever was acknowledged is synced already.
fn close(state: &mut Option<OpenDatabase>) {
    let opened = state.take();
    drop(catch_unwind(AssertUnwindSafe(|| drop(opened))));
}

fn check_sizes(batch: &Batch) -> Result<(), SledError> {
    let largest = batch.iter().filter_map(|(_, value)| value).map(<[u8]>::len).max().unwrap_or(0);
    if largest > LARGEST_VALUE { Err(SledError::TooLarge(largest)) } else { Ok(()) }
}

/// Makes a folder with an empty log, for sled to begin with; returns whether there was no folder before.
fn create(path: &Path) -> std::io::Result<bool> {
    let is_new = !path.try_exists()?;
    if is_new {
        fs::DirBuilder::new().mode(0o700).create(path)?;
    }
    open_private(&log_of(path))?;
    Ok(is_new)
}

/// Takes the rights of group and others away from sled's directory: sled creates files in it that they could read.
fn keep_private(path: &Path) -> std::io::Result<()> {
    if fs::metadata(path)?.permissions().mode().trailing_zeros() >= 6 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// Lets sled open the folder, and makes durable what it has changed in it.
fn start(path: &Path, cache_bytes: usize) -> Result<OpenDatabase, SledError> {
    let cache = u64::try_from(cache_bytes).unwrap_or(u64::MAX);
    // No thread of sled's flushes behind our back: every batch is flushed, and pages are tidied up by writes.
    let config = Config::new().path(path).cache_capacity(cache).segment_size(SEGMENT).flush_every_ms(None);
    // A damaged log may meet an assertion of sled's before it meets an error.
    let database = catch_unwind(AssertUnwindSafe(|| config.open()))
        .map_err(|_| SledError::Panicked)
        .and_then(|opened| Ok(opened?))
        // If it cannot be removed now, the next opening does it.
        .inspect_err(|_| drop(index::remove_partial(path)))?;
    let mark = CommitCounter::open(&database, path)?;
    folder::sync(path).map_err(SledError::Sync)?;
    let log = File::open(log_of(path)).map_err(SledError::Sync)?;
    Ok(OpenDatabase { database, log, commit_counter: mark, current_version: Arc::default(), opening: Arc::default() })
}
