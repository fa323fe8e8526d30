//! redb as an engine.
//!
//! Uses one table of byte slices and only the basic operations of redb: open, get, range, insert, remove, commit. The
//! encoding of its richer types has changed between releases, and most of its bugs were in rarer operations.

use crate::copy_on_write::CopyOnWriteBackend;
use crate::error::RedbError;
use crate::partial_file::{MAGIC, is_partial, truncate};
use redb::{
    Builder, Database, ReadOnlyTable, ReadableDatabase, StorageBackend, TableDefinition,
    TableError, TableHandle,
};
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use voight_engine::{
    Batch, Engine, EngineError, EntryVisitor, OpenError, Order, Read, has_free_space, open_private,
    sync_folder_of,
};

const REDB_TABLE: TableDefinition<'static, &'static [u8], &'static [u8]> =
    TableDefinition::new("voight");

/// Free space that the next groups of writes may need, in bytes.
const MIN_FREE_BYTES: u64 = 1 << 20;

/// Number of changes between two pauses, which takes a few hundred microseconds.
const PAUSE_EVERY: usize = 100;

/// Function that opens the same database again.
type Reopen = Box<dyn Fn() -> Result<Database, RedbError> + Send + Sync>;

/// Engine on a redb file.
pub struct RedbEngine {
    reopen: Reopen,
    /// Path of the file; `None` on another backend.
    path: Option<PathBuf>,
    /// Open database; `None` only while it is being reopened, or after reopening failed.
    database: RwLock<Option<Database>>,
}

impl RedbEngine {
    /// Opens or creates the file at `path`. A file of another program is rejected and not modified.
    pub fn open(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        let fresh = is_missing(path)?;
        if fresh && path.exists() {
            truncate(path).map_err(|error| OpenError::io(path.display(), error))?;
        }
        // The file is created here with owner-only mode, because redb would apply the umask.
        open_private(path).map_err(|error| OpenError::io(path.display(), error))?;
        let open_error = |error: RedbError| error.at_path(path);
        let database =
            catch_panic(|| Ok(builder(cache_bytes).create(path)?)).map_err(open_error)?;
        if fresh {
            // redb syncs the file but never its directory; without this sync a power failure could remove the whole
            // store.
            sync_folder_of(path).map_err(|error| OpenError::io(path.display(), error))?;
        }
        let engine = Self::settled(database, path, reopen_fn(path, cache_bytes))?;
        Ok(Self {
            path: Some(path.to_owned()),
            ..engine
        })
    }

    /// Opens or creates a database on `backend`. Clones of a backend must share their content. Errors name it `place`.
    pub fn on_backend<B: StorageBackend + Clone>(
        backend: B,
        place: &Path,
        cache_bytes: usize,
    ) -> Result<Self, OpenError> {
        let reopen: Reopen = Box::new(move || {
            catch_panic(|| Ok(builder(cache_bytes).create_with_backend(backend.clone())?))
        });
        let database = reopen().map_err(|error| error.at_path(place))?;
        Self::settled(database, place, reopen)
    }

    /// Creates the engine of a database that contains our table, or no table yet.
    fn settled(database: Database, place: &Path, reopen: Reopen) -> Result<Self, OpenError> {
        let open_error = |error: RedbError| error.at_path(place);
        match contents(&database).map_err(open_error)? {
            FileContents::Ours => {}
            FileContents::Nothing => write(&database, &[], &mut || {}).map_err(open_error)?,
            FileContents::Foreign => {
                return Err(OpenError::NotAStore {
                    place: place.display().to_string(),
                });
            }
        }
        Ok(Self {
            reopen,
            path: None,
            database: RwLock::new(Some(database)),
        })
    }

    /// Opens the existing file at `path` without ever modifying it.
    pub(crate) fn open_read_only(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        let open_error = |error: RedbError| error.at_path(path);
        let backend = File::options()
            .read(true)
            .write(true)
            .open(path)
            .map_err(|error| OpenError::io(path.display(), error))
            .and_then(|file| {
                CopyOnWriteBackend::new(file).map_err(|error| open_error(error.into()))
            })?;
        let open_result = catch_panic(|| Ok(builder(cache_bytes).create_with_backend(backend)?));
        let database = open_result.map_err(open_error)?;
        match contents(&database).map_err(open_error)? {
            FileContents::Ours => {
                let reopen = reopen_fn(path, cache_bytes);
                let path = Some(path.to_owned());
                Ok(Self {
                    reopen,
                    path,
                    database: RwLock::new(Some(database)),
                })
            }
            FileContents::Nothing | FileContents::Foreign => Err(OpenError::NotAStore {
                place: path.display().to_string(),
            }),
        }
    }

    /// Traverses all pages and verifies their checksums, which redb does at no other time.
    pub(crate) fn check(&mut self) -> Result<(), EngineError> {
        let database = self.owned()?;
        if catch_panic(|| Ok(database.check_integrity()?))? {
            return Ok(());
        }
        Err(EngineError::Corrupt(
            "a page does not have its checksum".to_owned(),
        ))
    }

    /// Returns unused pages to the file system.
    pub(crate) fn shrink(&mut self) -> Result<(), EngineError> {
        let database = self.owned()?;
        while catch_panic(|| Ok(database.compact()?))? {}
        Ok(())
    }

    fn owned(&mut self) -> Result<&mut Database, RedbError> {
        self.database
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
            .ok_or(RedbError::Closed)
    }

    fn database(&self) -> RwLockReadGuard<'_, Option<Database>> {
        self.database.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for RedbEngine {
    type Snapshot = RedbSnapshot;

    fn name(&self) -> &'static str {
        "redb"
    }

    fn snapshot(&self) -> Result<RedbSnapshot, EngineError> {
        let database = self.database();
        let open = database.as_ref().ok_or(RedbError::Closed)?;
        Ok(catch_panic(|| begin_read(open))?)
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        self.apply_all(slice::from_ref(batch), &mut || {})
    }

    fn apply_all(&self, batches: &[Batch], pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        let database = self.database();
        let open = database.as_ref().ok_or(RedbError::Closed)?;
        Ok(catch_panic(|| write(open, batches, pause))?)
    }

    /// Closes and reopens the file: after an error redb rejects all operations until then.
    fn recover(&self) -> Result<(), EngineError> {
        let mut database = self
            .database
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        // Dropping the old database releases the lock on the file.
        drop(database.take());
        *database = Some((self.reopen)().map_err(RedbError::reopening)?);
        Ok(())
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        self.path
            .as_ref()
            .map_or(Ok(true), |path| Ok(has_free_space(path, MIN_FREE_BYTES)?))
    }
}

/// Snapshot of the table.
pub struct RedbSnapshot(ReadOnlyTable<&'static [u8], &'static [u8]>);

impl Read for RedbSnapshot {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        if let Some(value) = catch_panic(|| Ok(self.0.get(key)?))? {
            visit(catch_panic(|| Ok(value.value()))?);
        }
        Ok(())
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        if from >= to {
            return Ok(());
        }
        let mut range = catch_panic(|| Ok(self.0.range::<&[u8]>(from..to)?))?;
        let mut next = || {
            let entry = match order {
                Order::Ascending => range.next(),
                Order::Descending => range.next_back(),
            };
            Ok(entry.transpose()?)
        };
        while let Some((key, value)) = catch_panic(&mut next)? {
            // The values are read from the page here.
            let (key, value) = catch_panic(|| Ok((key.value(), value.value())))?;
            if visit(key, value).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Limits the cache, whose default size in redb is a gigabyte.
fn builder(cache_bytes: usize) -> Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(cache_bytes);
    builder
}

/// Returns the function that opens the existing file at `path`.
fn reopen_fn(path: &Path, cache_bytes: usize) -> Reopen {
    let path = path.to_owned();
    Box::new(move || catch_panic(|| Ok(builder(cache_bytes).open(&path)?)))
}

/// Runs an operation of redb and catches panics. redb may hit an assertion before it reports a damaged file.
fn catch_panic<T>(operation: impl FnOnce() -> Result<T, RedbError>) -> Result<T, RedbError> {
    catch_unwind(AssertUnwindSafe(operation)).unwrap_or(Err(RedbError::Panicked))
}

fn begin_read(database: &Database) -> Result<RedbSnapshot, RedbError> {
    Ok(RedbSnapshot(database.begin_read()?.open_table(REDB_TABLE)?))
}

/// Writes batches in order and makes them durable in one commit.
///
/// Two-phase commit: a commit in one phase relies on a checksum to distinguish a torn write from a complete one. Quick
/// repair: without it, reopening after a crash takes minutes; it must be set on every commit, since only the last one
/// counts.
fn write(database: &Database, batches: &[Batch], pause: &mut dyn FnMut()) -> Result<(), RedbError> {
    let mut transaction = database.begin_write()?;
    transaction.set_two_phase_commit(true);
    transaction.set_quick_repair(true);
    {
        let mut table = transaction.open_table(REDB_TABLE)?;
        for (index, (key, value)) in batches.iter().flat_map(Batch::iter).enumerate() {
            if index > 0 && index % PAUSE_EVERY == 0 {
                pause();
            }
            match value {
                Some(value) => drop(table.insert(&*key, &*value)?),
                None => drop(table.remove(&*key)?),
            }
        }
    }
    Ok(transaction.commit()?)
}

enum FileContents {
    /// Our table.
    Ours,
    /// No table, as after a crash between the creation of the file and the first commit.
    Nothing,
    /// Only tables of another program.
    Foreign,
}

fn contents(database: &Database) -> Result<FileContents, RedbError> {
    catch_panic(|| read_contents(database))
}

fn read_contents(database: &Database) -> Result<FileContents, RedbError> {
    let transaction = database.begin_read()?;
    match transaction.open_table(REDB_TABLE) {
        Ok(_) => return Ok(FileContents::Ours),
        Err(TableError::TableDoesNotExist(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let foreign = transaction
        .list_tables()?
        .any(|table| table.name() != REDB_TABLE.name());
    Ok(if foreign {
        FileContents::Foreign
    } else {
        FileContents::Nothing
    })
}

/// Returns `true` if the file is missing, empty, or incomplete after an interrupted creation. Any other file without
/// the header of redb is rejected before redb can modify it.
pub(crate) fn is_missing(path: &Path) -> Result<bool, OpenError> {
    let mut start = Vec::new();
    let length = MAGIC.len() as u64;
    match File::open(path).and_then(|file| file.take(length).read_to_end(&mut start)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(OpenError::io(path.display(), error)),
        Ok(0) => Ok(true),
        Ok(_) if start == MAGIC => Ok(false),
        Ok(_) if is_truncated(path)? => Ok(true),
        Ok(_) => Err(OpenError::NotAStore {
            place: path.display().to_string(),
        }),
    }
}

fn is_truncated(path: &Path) -> Result<bool, OpenError> {
    File::open(path)
        .and_then(is_partial)
        .map_err(|error| OpenError::io(path.display(), error))
}
