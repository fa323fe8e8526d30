//! Opens a store: two databases and a sidecar.

use crate::migrate::{Migrations, OutdatedStore, migrate};
use crate::{
    EmbeddedStore, IdentityInit, Sidecar, StoreLocation, StoreParts, attach_database,
    load_or_create,
};
use std::path::PathBuf;
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy};
use voight_domain::secrets::PepperCommitment;
use voight_engine::store::with_suffix;
use voight_engine::{OpenError, PersistentEngine};

/// Divisor for the evidence database's share of the cache. Evidence is written once and read once.
const EVIDENCE_SHARE: usize = 8;

/// Location of a store and its resource limits.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Path of the main database. Raw evidence is in `PATH.evidence`, the store's identity in `PATH.id`.
    pub path: PathBuf,
    /// Size of the page cache of both databases together, in bytes.
    pub cache_bytes: usize,
    /// Maximum number of bytes of raw evidence.
    pub evidence_max_bytes: u64,
    /// Free space in bytes that evidence must not use, so that lookups can still be recorded.
    pub reserved_free_bytes: u64,
}

/// Opens the store at the path of `options`, or creates it if neither a store nor its sidecar exists.
///
/// A store of an older format is first backed up to `PATH.before-format-N.TIME.dump`, then migrated to
/// [`FORMAT`](crate::FORMAT).
///
/// Blocking.
///
/// # Errors
///
/// One sentence that tells the operator what to do if another process uses the store, a newer release wrote it, it
/// belongs to another pepper, it is missing although its sidecar exists, or the files are not a store.
pub fn open<E: PersistentEngine>(
    options: &StoreOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<EmbeddedStore<E>>, OpenError> {
    Migrations::RELEASED.open(options, clock, entropy, pepper)
}

impl Migrations {
    /// Opens a store as [`open`] does, with these migrations and their format, which in tests may be another release's.
    pub fn open<E: PersistentEngine>(
        self,
        options: &StoreOptions,
        clock: Arc<dyn Clock>,
        entropy: &dyn Entropy,
        pepper: PepperCommitment,
    ) -> Result<Arc<EmbeddedStore<E>>, OpenError> {
        let path = options.path.as_path();
        let format = self.format();
        let place = path.display().to_string();
        let sidecar = Sidecar::for_store(path);
        let sidecar_identity = sidecar.read(format)?;
        let sidecar_path = sidecar.path().display().to_string();
        if sidecar_identity.is_some() && E::is_missing(path)? {
            return Err(OpenError::DatabaseMissing {
                place,
                sidecar: sidecar_path,
            });
        }
        let evidence_cache = options.cache_bytes / EVIDENCE_SHARE;
        let main = E::open_at(path, options.cache_bytes - evidence_cache)?;
        let mut random = [0; 10];
        entropy.fill(&mut random);
        let identity_init = IdentityInit {
            pepper,
            now: clock.now(),
            entropy: random,
            format,
        };
        let location = StoreLocation {
            place: &place,
            sidecar: &sidecar_path,
        };
        let mut identity =
            load_or_create(&main, sidecar_identity.as_ref(), &identity_init, location)?;
        let evidence_path = with_suffix(path, ".evidence");
        let evidence = E::open_at(&evidence_path, evidence_cache)?;
        attach_database(&evidence, &identity, &evidence_path.display().to_string())?;
        if identity.format() < format {
            let outdated_store = OutdatedStore {
                path,
                main: &main,
                evidence: &evidence,
                identity,
                migrations: self,
            };
            identity = migrate(&outdated_store, identity_init.now)?;
        }
        if sidecar_identity != Some(identity) {
            // The sidecar is written last: a crash before this leaves a store that opens normally and gets its sidecar
            // then.
            sidecar.write(&identity)?;
        }
        let parts = StoreParts {
            main,
            evidence,
            identity,
            clock,
            evidence_max_bytes: options.evidence_max_bytes,
        };
        let store = EmbeddedStore::start(parts).map_err(|error| OpenError::io(place, error))?;
        Ok(Arc::new(store.on_disk(path, options.reserved_free_bytes)))
    }
}
