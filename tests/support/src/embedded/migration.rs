//! Tests migrations on any engine: a store of this release is migrated by a made-up later one.

use super::{EngineUnderTest, SampleStore};
use crate::{FixedClock, FixedEntropy};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use voight_domain::ports::AdminStore;
use voight_domain::secrets::Pepper;
use voight_embedded::testing::made_up_formats::{MIGRATIONS, NEWEST, while_second_fails};
use voight_embedded::{
    DumpReader, EmbeddedStore, FORMAT, Migrations, Sidecar, StoreOptions, dump_store, restore,
    verify,
};
use voight_engine::{OpenError, PersistentEngine};

/// Tests that a later release backs up a store and migrates it once, and that this release then rejects it unchanged.
pub fn a_store_is_migrated_once_and_then_too_new_for_this_release<T: EngineUnderTest>() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let dump = create::<T::Store>(&path);
    let store = open::<T::Store>(&path, MIGRATIONS).unwrap();
    assert_eq!(store.info().format, NEWEST);
    drop(store);
    let backups = backups(directory.path());
    assert_eq!(
        backups
            .iter()
            .map(|file| fs::read(file).unwrap())
            .collect::<Vec<_>>(),
        [dump]
    );
    for _ in 0..2 {
        let errors = [
            open::<T::Store>(&path, Migrations::RELEASED)
                .map(drop)
                .unwrap_err(),
            verify::<T::Store>(&path, &mut |_| {})
                .map(drop)
                .unwrap_err(),
            Sidecar::for_store(&path)
                .read(FORMAT)
                .map(drop)
                .unwrap_err(),
        ];
        let is_newer = |error: &OpenError| {
            matches!(
                error,
                OpenError::Newer {
                    found: NEWEST,
                    known: FORMAT,
                    ..
                }
            )
        };
        assert!(errors.iter().all(is_newer), "{errors:?}");
        assert!(
            dump_store::<T::Store>(&path, &mut Vec::new())
                .unwrap_err()
                .to_string()
                .contains("format 3")
        );
        drop(open::<T::Store>(&path, MIGRATIONS).unwrap());
    }
    assert_eq!(
        self::backups(directory.path()),
        backups,
        "the store is migrated once"
    );
}

/// Tests that a migration that ended between two formats continues with the next start, without another backup.
pub fn a_migration_is_continued_between_two_formats<T: EngineUnderTest>() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    create::<T::Store>(&path);
    let error = while_second_fails(|| open::<T::Store>(&path, MIGRATIONS))
        .map(drop)
        .unwrap_err();
    assert!(matches!(error, OpenError::Io { .. }), "{error}");
    let backup = backups(directory.path());
    assert_eq!(backup.len(), 1);
    let error = open::<T::Store>(&path, Migrations::RELEASED)
        .map(drop)
        .unwrap_err();
    assert!(
        matches!(error, OpenError::Newer { found: NEWEST, .. }),
        "{error}"
    );
    assert_eq!(
        open::<T::Store>(&path, MIGRATIONS).unwrap().info().format,
        NEWEST
    );
    assert_eq!(backups(directory.path()), backup);
}

/// Tests that the backup of a migration restores the store for the release that wrote it.
pub fn a_store_comes_back_from_the_backup_of_its_migration<T: EngineUnderTest>() {
    let directory = tempfile::tempdir().unwrap();
    let [path, again] = ["store", "again"].map(|name| directory.path().join(name));
    let dump = create::<T::Store>(&path);
    drop(open::<T::Store>(&path, MIGRATIONS).unwrap());
    let backup = fs::read(&backups(directory.path())[0]).unwrap();
    restore::<T::Store>(
        &mut DumpReader::open(backup.as_slice()).unwrap(),
        &again,
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(
        open::<T::Store>(&again, Migrations::RELEASED)
            .unwrap()
            .info()
            .format,
        FORMAT
    );
    let mut second_dump = Vec::new();
    dump_store::<T::Store>(&again, &mut second_dump).unwrap();
    assert!(
        second_dump == dump,
        "the restored store is not the one that was backed up"
    );
    assert_eq!(
        verify::<T::Store>(&again, &mut |_| {}).unwrap().1.damage,
        []
    );
}

/// Creates a store of this release with records in every table, and returns its dump.
fn create<E: PersistentEngine>(path: &Path) -> Vec<u8> {
    let dump = SampleStore::filled().dump();
    restore::<E>(
        &mut DumpReader::open(dump.as_slice()).unwrap(),
        path,
        &mut |_| {},
    )
    .unwrap();
    dump
}

fn open<E: PersistentEngine>(
    path: &Path,
    migrations: Migrations,
) -> Result<Arc<EmbeddedStore<E>>, OpenError> {
    let options = StoreOptions {
        path: path.to_owned(),
        cache_bytes: 4 << 20,
        evidence_max_bytes: 1 << 20,
        reserved_free_bytes: 0,
    };
    let pepper = Pepper::from_bytes([7; 32]).commitment();
    migrations.open(&options, Arc::new(FixedClock), &FixedEntropy(1), pepper)
}

fn backups(directory: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .filter(|file| file.to_string_lossy().contains("before-format"))
        .collect()
}
