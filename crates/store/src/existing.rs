//! A store that is there and no server runs on, opened for the tools of operators. The pepper is not asked for: it
//! opens keys, not records.

use crate::logged::wal_path;
use crate::open::with_suffix;
use crate::typed::ReadRecords;
use crate::{FORMAT, Identity, OpenError, PersistentEngine, Sidecar, table};
use std::path::{Path, PathBuf};
use voight_domain::ports::StoreError;

/// Memory for pages of each database; tools read from front to back.
const CACHE_BYTES: usize = 16 << 20;

/// The paths of a store's parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePaths {
    /// Everything but raw evidence.
    pub main: PathBuf,
    /// Raw evidence.
    pub evidence: PathBuf,
    /// The file that remembers the identity.
    pub sidecar: PathBuf,
    /// The logs of both databases, while they are in use or after a crash.
    pub logs: [PathBuf; 2],
}

impl StorePaths {
    /// The parts of the store at `path`.
    pub fn for_store(path: &Path) -> Self {
        let sidecar = Sidecar::for_store(path).path().to_owned();
        let (main, evidence) = (path.to_owned(), with_suffix(path, ".evidence"));
        let logs = [wal_path(&main), wal_path(&evidence)];
        Self { main, evidence, sidecar, logs }
    }

    /// Each of them.
    pub fn paths(&self) -> [&Path; 5] {
        let [main, evidence] = &self.logs;
        [&self.main, &self.evidence, &self.sidecar, main, evidence]
    }

    /// The first part that is there.
    pub fn first_existing(&self) -> Option<&Path> {
        self.paths().into_iter().find(|path| path.symlink_metadata().is_ok())
    }
}

/// Both databases of a store that is there.
pub struct OfflineStore<E> {
    /// Everything but raw evidence.
    pub main: E,
    /// Raw evidence; `None` if it is gone, which a store survives.
    pub evidence: Option<E>,
}

impl<E: PersistentEngine> OfflineStore<E> {
    /// Opens the store at `path` and writes nothing to it.
    pub fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        Self::open(path, E::open_read_only)
    }

    /// Opens the store at `path` to change its files.
    pub fn open_read_write(path: &Path) -> Result<Self, OpenError> {
        Self::open(path, E::open_at)
    }

    fn open(path: &Path, open: impl Fn(&Path, usize) -> Result<E, OpenError>) -> Result<Self, OpenError> {
        let paths = StorePaths::for_store(path);
        if E::is_missing(&paths.main)? {
            return Err(OpenError::Missing { place: path.display().to_string() });
        }
        let main = open(&paths.main, CACHE_BYTES)?;
        let evidence = if E::is_missing(&paths.evidence)? { None } else { Some(open(&paths.evidence, CACHE_BYTES)?) };
        Ok(Self { main, evidence })
    }

    /// Who the store is. One of a newer release, and parts of different stores, are refused.
    pub fn identity(&self, path: &Path) -> Result<Identity, OpenError> {
        let paths = StorePaths::for_store(path);
        let found = read(&self.main, &paths.main)?
            .ok_or_else(|| OpenError::NotAStore { place: paths.main.display().to_string() })?;
        if found.format() > FORMAT {
            let place = paths.main.display().to_string();
            return Err(OpenError::Newer { place, found: found.format(), known: FORMAT });
        }
        let evidence = match &self.evidence {
            Some(evidence) => read(evidence, &paths.evidence)?,
            None => None,
        };
        let sidecar = Sidecar::for_store(path).read()?;
        for (other, place) in [(evidence, paths.evidence), (sidecar, paths.sidecar)] {
            if let Some(other) = other.filter(|other| other.id() != found.id()) {
                let place = place.display().to_string();
                return Err(OpenError::PartsMismatch { place, found: other.id(), expected: found.id() });
            }
        }
        Ok(found)
    }
}

fn read<E: PersistentEngine>(engine: &E, place: &Path) -> Result<Option<Identity>, OpenError> {
    let read = engine.snapshot().map_err(StoreError::from).and_then(|view| view.fetch(&table::identity()));
    read.map_err(|error| OpenError::of_store(place.display(), error))
}
