//! Opens a store for offline maintenance while no server is running.
//!
//! The pepper is not required: it protects digests, while records are readable without it.

use crate::read_records::ReadRecords;
use crate::{FORMAT, Identity, Sidecar, StorePaths, table};
use std::path::Path;
use voight_domain::ports::StoreError;
use voight_engine::{OpenError, PersistentEngine};

/// Page cache of each database, in bytes. Maintenance reads sequentially, so a small cache suffices.
const CACHE_BYTES: usize = 16 << 20;

/// Both databases of an existing store.
pub struct OfflineStore<E> {
    /// Main database: everything except raw evidence.
    pub main: E,
    /// Database of raw evidence; `None` if it is missing, which a store tolerates.
    pub evidence: Option<E>,
}

impl<E: PersistentEngine> OfflineStore<E> {
    /// Opens the store at `path` without writing to it.
    pub fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        Self::open(path, E::open_read_only)
    }

    /// Opens the store at `path` to change its files.
    pub fn open_read_write(path: &Path) -> Result<Self, OpenError> {
        Self::open(path, E::open_at)
    }

    fn open(
        path: &Path,
        open: impl Fn(&Path, usize) -> Result<E, OpenError>,
    ) -> Result<Self, OpenError> {
        let paths = StorePaths::for_store(path);
        if E::is_missing(&paths.main)? {
            return Err(OpenError::Missing {
                place: path.display().to_string(),
            });
        }
        let main = open(&paths.main, CACHE_BYTES)?;
        let evidence = if E::is_missing(&paths.evidence)? {
            None
        } else {
            Some(open(&paths.evidence, CACHE_BYTES)?)
        };
        Ok(Self { main, evidence })
    }

    /// Returns the identity of the store.
    ///
    /// # Errors
    ///
    /// [`OpenError::Newer`] for a store of a newer release, [`OpenError::PartsMismatch`] for files of different stores.
    pub fn identity(&self, path: &Path) -> Result<Identity, OpenError> {
        let paths = StorePaths::for_store(path);
        let identity = read(&self.main, &paths.main)?.ok_or_else(|| OpenError::NotAStore {
            place: paths.main.display().to_string(),
        })?;
        if identity.format() > FORMAT {
            let place = paths.main.display().to_string();
            return Err(OpenError::Newer {
                place,
                found: identity.format(),
                known: FORMAT,
            });
        }
        let evidence = match &self.evidence {
            Some(evidence) => read(evidence, &paths.evidence)?,
            None => None,
        };
        let sidecar = Sidecar::for_store(path).read(FORMAT)?;
        for (part_identity, place) in [(evidence, paths.evidence), (sidecar, paths.sidecar)] {
            if let Some(part_identity) =
                part_identity.filter(|part_identity| part_identity.id() != identity.id())
            {
                let place = place.display().to_string();
                return Err(OpenError::PartsMismatch {
                    place,
                    found: part_identity.id(),
                    expected: identity.id(),
                });
            }
        }
        Ok(identity)
    }
}

fn read<E: PersistentEngine>(engine: &E, place: &Path) -> Result<Option<Identity>, OpenError> {
    let identity = engine
        .snapshot()
        .map_err(StoreError::from)
        .and_then(|view| view.fetch(&table::identity()));
    identity.map_err(|error| OpenError::from_store(place.display(), error))
}
