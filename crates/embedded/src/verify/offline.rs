//! Verifies a store offline.

use super::{DatabaseKind, Verifier, VerifyReport};
use crate::{Identity, OfflineStore, StorePaths};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use voight_domain::ports::StoreError;
use voight_engine::{EngineError, OpenError, PersistentEngine};

/// Number of records per batch and progress report.
const SLICE: usize = 1000;
/// Description of damage that made the engine panic.
const PANIC_MESSAGE: &str = "the database panicked during a read";

/// Verifies all records and databases of the store at `path` without writing to it.
///
/// `progress` receives the number of records since its last call. Returns the report, and the identity of the store if
/// it can be read. Damage is in the report; an error means that the store could not be read. Blocking.
pub fn verify<E: PersistentEngine>(
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(Option<Identity>, VerifyReport), OpenError> {
    let paths = StorePaths::for_store(path);
    let mut store = catch_panic(|| OfflineStore::<E>::open_read_only(path))
        .unwrap_or_else(|| Err(OpenError::damaged(path.display(), PANIC_MESSAGE)))?;
    let mut report = VerifyReport::default();
    let identity = match catch_panic(|| store.identity(path)) {
        Some(Ok(identity)) => Some(identity),
        Some(Err(OpenError::Damaged { what, .. })) => {
            report.add_structure(
                DatabaseKind::Main,
                format!("its identity cannot be read: {what}"),
            );
            None
        }
        Some(Err(error)) => return Err(error),
        None => None,
    };
    report.absorb(part(
        &mut store.main,
        DatabaseKind::Main,
        &paths.main,
        progress,
    )?);
    match &mut store.evidence {
        Some(evidence) => report.absorb(part(
            evidence,
            DatabaseKind::Evidence,
            &paths.evidence,
            progress,
        )?),
        None => report.add_structure(
            DatabaseKind::Evidence,
            format!("{} is missing", paths.evidence.display()),
        ),
    }
    Ok((identity, report))
}

fn part<E: PersistentEngine>(
    engine: &mut E,
    part: DatabaseKind,
    place: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<VerifyReport, OpenError> {
    let mut verifier = Verifier::new(part);
    let walk_result = catch_panic(|| run(engine, &mut verifier, progress));
    let mut report = verifier.into_report();
    match walk_result {
        Some(Ok(())) => {}
        Some(Err(StoreError::Corrupt(what))) => report.add_structure(part, what),
        Some(Err(error)) => return Err(OpenError::io(place.display(), error)),
        None => report.add_structure(part, PANIC_MESSAGE),
    }
    // The structural check is last: it may repair what it finds, and the record checks would then miss it.
    match catch_panic(|| engine.check_structure()) {
        Some(Ok(())) => {}
        Some(Err(EngineError::Corrupt(what))) => report.add_structure(part, what),
        Some(Err(error)) => return Err(OpenError::io(place.display(), error)),
        None => report.add_structure(part, PANIC_MESSAGE),
    }
    Ok(report)
}

fn run(
    engine: &impl PersistentEngine,
    verifier: &mut Verifier,
    progress: &mut dyn FnMut(u64),
) -> Result<(), StoreError> {
    let view = engine.snapshot()?;
    loop {
        let rows_before = verifier.report().rows();
        let more = verifier.slice(&view, SLICE)?;
        progress(verifier.report().rows() - rows_before);
        if !more {
            return Ok(());
        }
    }
}

/// Returns `None` if `work` panicked, as an engine may on a corrupt page. The interrupted state is only read
/// afterwards.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
