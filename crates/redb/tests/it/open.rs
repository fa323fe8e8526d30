//! Tests opening: what is created, what is rejected, and what is not modified.

use std::fs;
use std::path::Path;
use voight_embedded::OpenError;
use voight_redb::{RedbEngine, WalRedb};
use voight_support::embedded::opening::{self, OpenResult, PEPPER, refusal, sibling_path};

fn open_at(path: &Path, entropy: u8) -> OpenResult<WalRedb> {
    opening::open_at(path, entropy, PEPPER)
}

#[test]
fn logs_exist_while_a_store_is_in_use_and_a_copy_without_them_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("voight.redb"),
        folder.path().join("copy.redb"),
    );
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
    let refused = refusal(open_at(&copy, 1));
    let log = sibling_path(&copy, ".log").display().to_string();
    assert!(
        matches!(&refused, OpenError::Damaged { place, .. } if *place == log),
        "{refused}"
    );
    assert!(refused.to_string().contains("missing"), "{refused}");
}

#[test]
fn a_file_of_another_program_is_refused_and_not_modified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, b"my notes").unwrap();
    assert_eq!(
        refusal(open_at(&path, 1)),
        OpenError::NotAStore {
            place: path.display().to_string()
        }
    );
    assert_eq!(fs::read(&path).unwrap(), b"my notes");
    assert!(!sibling_path(&path, ".id").exists() && !sibling_path(&path, ".evidence").exists());
}

#[test]
fn a_redb_database_of_another_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.redb");
    let other = redb::Database::create(&path).unwrap();
    let write = other.begin_write().unwrap();
    write
        .open_table(redb::TableDefinition::<u64, u64>::new("theirs"))
        .unwrap()
        .insert(1, 2)
        .unwrap();
    write.commit().unwrap();
    drop(other);
    assert!(matches!(
        refusal(open_at(&path, 1)),
        OpenError::NotAStore { .. }
    ));
}

/// redb writes its magic number last, and would permanently reject the file after a crash before that.
#[test]
fn a_database_file_is_created_again_after_a_crash_during_its_creation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    drop(RedbEngine::open(&path, 1 << 20).unwrap());
    let (mut marked, length) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().len());
    marked[..9].fill(0);
    marked[320..].fill(0);
    for leftover in [vec![0; usize::try_from(length).unwrap()], marked] {
        for name in ["voight.redb", "voight.redb.evidence"] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), &leftover).unwrap();
            open_at(&folder.path().join("voight.redb"), 1).unwrap();
        }
    }
}

#[test]
fn a_file_that_begins_with_zeros_is_not_mistaken_for_an_unfinished_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disk.img");
    let mut bytes = vec![0; 100_000];
    bytes[99_999] = 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(
        refusal(open_at(&path, 1)),
        OpenError::NotAStore {
            place: path.display().to_string()
        }
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
