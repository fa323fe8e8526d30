//! Opening a store of two databases and a sidecar.

use crate::migrate::{OutdatedStore, migrate};
use crate::{
    EmbeddedStore, Engine, EngineError, FORMAT, IdentityInit, OpenError, Sidecar, StoreParts, attach_database,
    load_or_create,
};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy};
use voight_domain::secrets::PepperCommitment;

/// The part of the cache that the evidence gets: it is written once and read once.
const EVIDENCE_SHARE: usize = 8;

/// Where a store lies and how much it may take.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// The database. Beside it lie `PATH.evidence`, the raw evidence, and `PATH.id`, the store's identity.
    pub path: PathBuf,
    /// Memory for pages of both databases together, in bytes.
    pub cache_bytes: usize,
    /// The most bytes of raw evidence to keep.
    pub evidence_max_bytes: u64,
    /// The bytes of free space that evidence must leave on the file system, so that lookups go on being recorded.
    pub reserved_free_bytes: u64,
}

/// An engine that lies at a path.
pub trait PersistentEngine: Engine + Sized {
    /// Whether nothing, or a database that was never written to, is at `path`. What is not a database of this kind is refused
    /// and left as it is.
    fn is_missing(path: &Path) -> Result<bool, OpenError>;

    /// Opens the database at `path`, or creates it, with this much memory for its pages.
    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError>;

    /// Opens the database that is at `path` and writes nothing to it, as far as this kind of database can be opened so.
    fn open_read_only(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open_at(path, cache_bytes)
    }

    /// Opens the database at `path`, or creates it, to fill it with large batches before anybody else uses it.
    fn open_for_bulk_load(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open_at(path, cache_bytes)
    }

    /// Checks what this kind of database can check of its own structure; blocking, for as long as it takes to read it all.
    fn check_structure(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Closes the database at `path`, so that nothing more is written to its files. Nobody can open them for as long as what is
    /// returned lives.
    fn close_and_lock(self, _path: &Path) -> Result<Box<dyn Any>, OpenError> {
        Ok(Box::new(self))
    }

    /// Gives unused space back to the file system, as far as this kind of database can.
    fn compact(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Opens the store at the path of `options`, or creates it where nothing is and nothing was.
///
/// A store of an older format is backed up beside its place, `PATH.before-format-N.TIME.dump`, and brought to this release's.
///
/// Refused, in one sentence that says what to do: a store that another process holds, that a newer release wrote, that
/// belongs to another pepper, that is gone although its sidecar remembers it, and whatever is not a store.
///
/// Blocking.
pub fn open<E: PersistentEngine>(
    options: &StoreOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<EmbeddedStore<E>>, OpenError> {
    let path = options.path.as_path();
    let (place, sidecar) = (path.display().to_string(), Sidecar::for_store(path));
    let expected = sidecar.read()?;
    let remembered = sidecar.path().display().to_string();
    if expected.is_some() && E::is_missing(path)? {
        return Err(OpenError::DatabaseMissing { place, sidecar: remembered });
    }
    let evidence_cache = options.cache_bytes / EVIDENCE_SHARE;
    let main = E::open_at(path, options.cache_bytes - evidence_cache)?;
    let mut random = [0; 10];
    entropy.fill(&mut random);
    let founding = IdentityInit { pepper, now: clock.now(), entropy: random };
    let mut identity = load_or_create(&main, expected.as_ref(), &founding, (&place, &remembered))?;
    let evidence_path = with_suffix(path, ".evidence");
    let evidence = E::open_at(&evidence_path, evidence_cache)?;
    attach_database(&evidence, &identity, &evidence_path.display().to_string())?;
    if identity.format() < FORMAT {
        identity = migrate(&OutdatedStore { path, main: &main, evidence: &evidence, identity }, founding.now)?;
    }
    if expected != Some(identity) {
        // Last, so that a crash before this leaves a store that simply opens again and gets its sidecar then.
        sidecar.write(&identity)?;
    }
    let parts = StoreParts { main, evidence, identity, clock, evidence_budget: options.evidence_max_bytes };
    let store = EmbeddedStore::start(parts).map_err(|error| OpenError::io(place, error))?;
    Ok(Arc::new(store.on_disk(path, options.reserved_free_bytes)))
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
