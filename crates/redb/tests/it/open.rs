//! Tests opening: what is created, what is rejected, and what is not modified.

use std::fs;
use std::path::Path;
use voight_engine::OpenError;
use voight_redb::{RedbEngine, WalRedb};
use voight_support::embedded::opening::{self, OpenResult, PEPPER, rejection, sibling_path};

fn open_at(path: &Path, entropy: u8) -> OpenResult<WalRedb> {
    opening::open_at(path, entropy, PEPPER)
}

#[test]
fn copy_without_logs_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    let copy = folder.path().join("copy.redb");
    let store = open_at(&path, 1).unwrap();
    let logs = [
        sibling_path(&path, ".log"),
        sibling_path(&path, ".evidence.log"),
    ];
    assert!(logs.iter().all(|log| log.exists()));
    // After a second a checkpoint has moved every entry into the databases, so that they can be copied.
    std::thread::sleep(std::time::Duration::from_secs(1));
    for suffix in ["", ".evidence", ".id"] {
        fs::copy(sibling_path(&path, suffix), sibling_path(&copy, suffix)).unwrap();
    }
    drop(store);
    assert!(!logs.iter().any(|log| log.exists()));
    let error = rejection(open_at(&copy, 1));
    let log = sibling_path(&copy, ".log").display().to_string();
    assert!(
        matches!(&error, OpenError::Damaged { place, .. } if *place == log),
        "{error}"
    );
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn foreign_file_is_rejected_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, b"my notes").unwrap();
    assert_eq!(
        rejection(open_at(&path, 1)),
        OpenError::NotAStore {
            place: path.display().to_string()
        }
    );
    assert_eq!(fs::read(&path).unwrap(), b"my notes");
    assert!(!sibling_path(&path, ".id").exists() && !sibling_path(&path, ".evidence").exists());
}

#[test]
fn foreign_redb_database_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.redb");
    let foreign_database = redb::Database::create(&path).unwrap();
    let write = foreign_database.begin_write().unwrap();
    write
        .open_table(redb::TableDefinition::<u64, u64>::new("theirs"))
        .unwrap()
        .insert(1, 2)
        .unwrap();
    write.commit().unwrap();
    drop(foreign_database);
    assert!(matches!(
        rejection(open_at(&path, 1)),
        OpenError::NotAStore { .. }
    ));
}

/// redb writes its magic number last, and would permanently reject the file after a crash before that.
#[test]
fn interrupted_creation_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    drop(RedbEngine::open(&path, 1 << 20).unwrap());
    let mut unfinished_file = fs::read(&path).unwrap();
    let length = fs::metadata(&path).unwrap().len();
    unfinished_file[..9].fill(0);
    unfinished_file[320..].fill(0);
    for leftover in [vec![0; usize::try_from(length).unwrap()], unfinished_file] {
        for name in ["voight.redb", "voight.redb.evidence"] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), &leftover).unwrap();
            open_at(&folder.path().join("voight.redb"), 1).unwrap();
        }
    }
}

#[test]
fn foreign_file_of_zeros_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disk.img");
    let mut bytes = vec![0; 100_000];
    bytes[99_999] = 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(
        rejection(open_at(&path, 1)),
        OpenError::NotAStore {
            place: path.display().to_string()
        }
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
