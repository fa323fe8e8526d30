//! Tests opening a store on any engine: what is created, and what is rejected.

use super::EngineUnderTest;
use crate::{FixedClock, FixedEntropy, poll_now};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use voight_domain::ports::{AdminStore, Health};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{EmbeddedStore, FORMAT, StoreOptions, open};
use voight_engine::{OpenError, PersistentEngine};

/// Pepper of the stores.
pub const PEPPER: PepperCommitment = PepperCommitment([7; 16]);

/// Result of opening a store on `E`.
pub type OpenResult<E> = Result<Arc<EmbeddedStore<E>>, OpenError>;

/// Opens or creates the store at `path`. `entropy` is the byte of its random numbers, so that two stores differ.
pub fn open_at<E: PersistentEngine>(
    path: &Path,
    entropy: u8,
    pepper: PepperCommitment,
) -> OpenResult<E> {
    let options = StoreOptions {
        path: path.to_owned(),
        cache_bytes: 4 << 20,
        evidence_max_bytes: 1 << 20,
        reserved_free_bytes: 0,
    };
    open(
        &options,
        Arc::new(FixedClock),
        &FixedEntropy(entropy),
        pepper,
    )
}

/// Tests that only the owner can read the files of a store, in use and closed. Files in a directory are protected by
/// its mode.
pub fn every_file_is_for_its_owner_only<T: EngineUnderTest>() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let modes = || -> Vec<_> {
        let entries = fs::read_dir(directory.path()).unwrap().map(Result::unwrap);
        entries
            .map(|entry| {
                (
                    entry.file_name(),
                    entry.metadata().unwrap().permissions().mode() & 0o077,
                )
            })
            .collect()
    };
    let store = open_at::<T::Store>(&path, 1, PEPPER).unwrap();
    assert!(modes().len() >= 3);
    assert!(
        modes().iter().all(|(_, others)| *others == 0),
        "{:?}",
        modes()
    );
    drop(store);
    for entry in fs::read_dir(directory.path()).unwrap().map(Result::unwrap) {
        let wide = fs::Permissions::from_mode(if entry.metadata().unwrap().is_dir() {
            0o755
        } else {
            0o644
        });
        fs::set_permissions(entry.path(), wide).unwrap();
    }
    let store = open_at::<T::Store>(&path, 1, PEPPER).unwrap();
    let databases: Vec<_> = modes()
        .into_iter()
        .filter(|(name, _)| !name.to_string_lossy().ends_with(".id"))
        .collect();
    assert!(
        databases.iter().all(|(_, others)| *others == 0),
        "of an earlier version: {databases:?}"
    );
    drop(store);
}

/// Returns the error of opening a store. Panics if the store was opened.
pub fn rejection<E: PersistentEngine>(open_result: OpenResult<E>) -> OpenError {
    match open_result {
        Ok(store) => panic!("{:?} was opened", store.info()),
        Err(error) => error,
    }
}

/// Returns `path` with a suffix: the path of another file of the store.
pub fn sibling_path(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

/// Removes a database, which is a file or a directory.
fn remove(path: &Path) {
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    } else {
        fs::remove_file(path).unwrap();
    }
}

/// Tests the files and the information of a new store, and that it keeps its identity when it is opened again.
pub fn a_new_store_is_three_files_and_keeps_its_identity<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let first = open_at::<T::Store>(&path, 1, PEPPER).unwrap();
    let info = first.info();
    assert_eq!(
        (info.engine.as_str(), info.format, first.health()),
        (T::NAME, FORMAT, Health::Ready)
    );
    assert!(path.exists() && sibling_path(&path, ".evidence").exists());
    assert!(
        fs::read_to_string(sibling_path(&path, ".id"))
            .unwrap()
            .contains(&info.identity)
    );
    drop(first);
    let store_again = open_at::<T::Store>(&path, 2, PEPPER).unwrap();
    assert_eq!(store_again.info(), info);
    assert_eq!(poll_now(store_again.audit(0, 10)), Ok(vec![]));
}

/// Tests that a store can be opened once at a time.
pub fn a_store_in_use_is_rejected_in_one_sentence<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let open_store = open_at::<T::Store>(&path, 1, PEPPER).unwrap();
    let error = rejection(open_at::<T::Store>(&path, 1, PEPPER));
    assert_eq!(
        error,
        OpenError::InUse {
            place: path.display().to_string()
        }
    );
    assert!(
        error
            .to_string()
            .ends_with("stop that process first, or name another store")
    );
    drop(open_store);
    open_at::<T::Store>(&path, 1, PEPPER).unwrap();
}

/// Tests that a store is opened only with the pepper of its creation.
pub fn another_pepper_is_rejected<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    drop(open_at::<T::Store>(&path, 1, PEPPER).unwrap());
    assert!(matches!(
        rejection(open_at::<T::Store>(&path, 1, PepperCommitment([8; 16]))),
        OpenError::OtherPepper { .. }
    ));
    open_at::<T::Store>(&path, 1, PEPPER).unwrap();
}

/// Tests that a missing or empty database is rejected while the sidecar exists.
pub fn a_database_that_is_gone_or_empty_is_not_taken_for_a_new_one<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    drop(open_at::<T::Store>(&path, 1, PEPPER).unwrap());
    remove(&path);
    assert!(matches!(
        rejection(open_at::<T::Store>(&path, 1, PEPPER)),
        OpenError::DatabaseMissing { .. }
    ));
    assert!(!path.exists(), "a refused store was created");
    T::make_empty(&path);
    assert!(matches!(
        rejection(open_at::<T::Store>(&path, 1, PEPPER)),
        OpenError::DatabaseMissing { .. }
    ));
    // Database that was created and never written to.
    remove(&path);
    drop(T::Store::open_at(&path, 1 << 20).unwrap());
    assert!(matches!(
        rejection(open_at::<T::Store>(&path, 1, PEPPER)),
        OpenError::DatabaseMissing { .. }
    ));
}

/// Tests that databases and sidecars of different stores are rejected.
pub fn files_of_two_stores_are_not_put_together<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let first_path = folder.path().join("one");
    let second_path = folder.path().join("other");
    drop((
        open_at::<T::Store>(&first_path, 1, PEPPER).unwrap(),
        open_at::<T::Store>(&second_path, 2, PEPPER).unwrap(),
    ));
    remove(&sibling_path(&first_path, ".evidence"));
    fs::rename(
        sibling_path(&second_path, ".evidence"),
        sibling_path(&first_path, ".evidence"),
    )
    .unwrap();
    assert!(matches!(
        rejection(open_at::<T::Store>(&first_path, 1, PEPPER)),
        OpenError::PartsMismatch { .. }
    ));
    fs::copy(
        sibling_path(&first_path, ".id"),
        sibling_path(&second_path, ".id"),
    )
    .unwrap();
    assert!(matches!(
        rejection(open_at::<T::Store>(&second_path, 1, PEPPER)),
        OpenError::PartsMismatch { .. }
    ));
}

/// Tests that a store without a sidecar, as a crash during its creation leaves it, is opened.
pub fn store_of_an_interrupted_creation_is_opened<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    drop(T::Store::open_at(&path, 1 << 20).unwrap());
    let identity = open_at::<T::Store>(&path, 1, PEPPER)
        .unwrap()
        .info()
        .identity;
    fs::remove_file(sibling_path(&path, ".id")).unwrap();
    assert_eq!(
        open_at::<T::Store>(&path, 2, PEPPER)
            .unwrap()
            .info()
            .identity,
        identity
    );
    assert!(sibling_path(&path, ".id").exists());
}

/// Tests the error for a store in a missing directory.
pub fn a_folder_that_is_not_there_is_an_error_that_says_what_to_check<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let error = rejection(open_at::<T::Store>(
        &folder.path().join("missing/store"),
        1,
        PEPPER,
    ));
    assert!(matches!(error, OpenError::Io { .. }));
    assert!(
        error
            .to_string()
            .ends_with("check the path, its permissions and the space on its disk")
    );
}
