//! Stores on plain maps.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_contract::{Capability, FactoryError, StoreFactory};
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{
    DatabaseKind, DumpReader, EmbeddedStore, FORMAT, IdentityInit, StoreLocation, StoreParts,
    attach_database, load_or_create,
};
use voight_engine::testing::MapEngine;
use voight_engine::{Batch, Engine};

const PEPPER: PepperCommitment = PepperCommitment([7; 16]);

/// Keeps the maps of every directory, so that reopening it finds what was written.
pub(crate) struct MapStoreFactory<E> {
    maps: Mutex<HashMap<PathBuf, (MapEngine, MapEngine)>>,
    open: EngineConstructor<E>,
}

/// Creates an engine from a map. It may write files whose names start with the path.
type EngineConstructor<E> = fn(MapEngine, &Path) -> Result<E, FactoryError>;

impl<E> MapStoreFactory<E> {
    /// Creates a factory without maps, whose engines are created by `open`.
    pub(crate) fn opened_by(open: EngineConstructor<E>) -> Self {
        Self {
            maps: Mutex::default(),
            open,
        }
    }

    fn maps(&self) -> MutexGuard<'_, HashMap<PathBuf, (MapEngine, MapEngine)>> {
        self.maps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Engine> StoreFactory for MapStoreFactory<E> {
    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::DurableAck,
            Capability::OnlineBackup,
            Capability::OnlineVerify,
            Capability::SingleMoment,
        ]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        let (main, evidence) = self.maps().entry(dir.to_owned()).or_default().clone();
        let main = (self.open)(main, &dir.join("map"))?;
        let evidence = (self.open)(evidence, &dir.join("map.evidence"))?;
        let founding = IdentityInit {
            pepper: PEPPER,
            now: clock.now(),
            entropy: [1; 10],
            format: FORMAT,
        };
        let identity = load_or_create(
            &main,
            None,
            &founding,
            StoreLocation {
                place: "map",
                sidecar: "map.id",
            },
        )?;
        attach_database(&evidence, &identity, "map.evidence")?;
        Ok(Arc::new(EmbeddedStore::start(StoreParts {
            main,
            evidence,
            identity,
            clock,
            evidence_max_bytes,
        })?))
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), FactoryError> {
        let mut dump = DumpReader::open(backup)?;
        let founding = IdentityInit {
            pepper: PEPPER,
            now: dump.identity().created_at(),
            entropy: [1; 10],
            format: FORMAT,
        };
        let maps = <(MapEngine, MapEngine)>::default();
        let main = (self.open)(maps.0.clone(), &dir.join("map"))?;
        let evidence = (self.open)(maps.1.clone(), &dir.join("map.evidence"))?;
        let identity = load_or_create(
            &main,
            None,
            &founding,
            StoreLocation {
                place: "map",
                sidecar: "map.id",
            },
        )?;
        attach_database(&evidence, &identity, "map.evidence")?;
        while let Some(entry) = dump.next_entry()? {
            let is_main = entry.part == DatabaseKind::Main;
            let mut batch = Batch::default();
            let (key, value) = entry.into_stored();
            batch.put(key, value);
            if is_main {
                main.apply(&batch)?;
            } else {
                evidence.apply(&batch)?;
            }
        }
        dump.summary().ok_or("the backup has no end")?;
        drop((main, evidence));
        self.maps().insert(dir.to_owned(), maps);
        Ok(())
    }
}
