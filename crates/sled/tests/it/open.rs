//! Tests opening: what is created, what is rejected, and what is not modified.

use std::fs;
use std::path::{Path, PathBuf};
use voight_domain::ports::AdminStore;
use voight_engine::{Batch, Engine, OpenError};
use voight_sled::SledEngine;
use voight_support::embedded::opening::{self, OpenResult, PEPPER, rejection, sibling_path};

fn open_at(path: &Path, entropy: u8) -> OpenResult<SledEngine> {
    opening::open_at(path, entropy, PEPPER)
}

#[test]
fn foreign_files_are_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    fs::write(&file, b"my notes").unwrap();
    assert_eq!(
        rejection(open_at(&file, 1)),
        OpenError::NotAStore {
            place: file.display().to_string()
        }
    );
    // A directory with other files, and one whose log is not sled's.
    for name in ["notes.txt", "db"] {
        let path = folder.path().join(format!("folder of {name}"));
        fs::create_dir(&path).unwrap();
        fs::write(path.join(name), b"my notes").unwrap();
        assert!(matches!(
            open_at(&path, 1),
            Err(OpenError::NotAStore { .. } | OpenError::Damaged { .. })
        ));
        assert_eq!(fs::read(path.join(name)).unwrap(), b"my notes");
        assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
        assert!(!sibling_path(&path, ".id").exists() && !sibling_path(&path, ".evidence").exists());
    }
    assert_eq!(fs::read(&file).unwrap(), b"my notes");
}

#[test]
fn foreign_database_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("theirs");
    let foreign_database = sled::open(&path).unwrap();
    foreign_database.insert("their", "data").unwrap();
    drop(foreign_database);
    assert!(matches!(
        rejection(open_at(&path, 1)),
        OpenError::NotAStore { .. }
    ));
    // Rejected even if its log has our settings.
    let path = folder.path().join("alike");
    let foreign_database = sled::Config::new()
        .path(&path)
        .segment_size(8 << 20)
        .open()
        .unwrap();
    foreign_database
        .open_tree("theirs")
        .unwrap()
        .insert("their", "data")
        .unwrap();
    drop(foreign_database);
    assert!(matches!(
        rejection(open_at(&path, 1)),
        OpenError::NotAStore { .. }
    ));
}

/// Returns the index of the log. A start that finds new entries in the log writes one.
fn index_of(path: &Path) -> Option<PathBuf> {
    let names = fs::read_dir(path)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()));
    names
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("snap."))
        })
        .max()
}

#[test]
fn damaged_index_requires_manual_repair() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.sled");
    drop(open_at(&path, 1).unwrap());
    let identity = open_at(&path, 1).unwrap().info().identity;
    let index = index_of(&path).unwrap();
    let index_bytes = fs::read(&index).unwrap();
    for damaged_index in [
        index_bytes[..index_bytes.len() / 2].to_vec(),
        Vec::new(),
        index_bytes.iter().map(|byte| byte ^ 4).collect(),
    ] {
        fs::write(&index, &damaged_index).unwrap();
        let error = rejection(open_at(&path, 1));
        assert!(
            matches!(error, OpenError::ManualRepairNeeded { .. }),
            "{error}"
        );
        let name = index.file_name().unwrap().to_str().unwrap();
        assert!(
            error
                .to_string()
                .contains(&format!("move {name} out of the folder and start again")),
            "{error}"
        );
        assert_eq!(fs::read(&index).unwrap(), damaged_index);
    }
    // Follows the instruction of the error message.
    fs::rename(&index, folder.path().join("aside")).unwrap();
    assert_eq!(open_at(&path, 1).unwrap().info().identity, identity);
}

/// Tests an incomplete index, left by an interrupted start. All of its data is also in the log.
#[test]
fn incomplete_index_is_rebuilt_from_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.sled");
    drop(open_at(&path, 1).unwrap());
    let identity = open_at(&path, 1).unwrap().info().identity;
    let index_bytes = fs::read(index_of(&path).unwrap()).unwrap();
    let half_made = path.join("snap.00000000FFFFFFFF.generating");
    for bytes in [
        &index_bytes[..0],
        &index_bytes[..index_bytes.len() / 2],
        &index_bytes,
    ] {
        fs::write(&half_made, bytes).unwrap();
        assert_eq!(open_at(&path, 1).unwrap().info().identity, identity);
        assert!(!half_made.exists());
    }
}

#[test]
fn interrupted_creation_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("db"), []).unwrap();
    fs::write(path.join("snap.0000000000000000.generating"), b"half").unwrap();
    SledEngine::open(&path, 1 << 20).unwrap();
}

#[test]
fn damaged_settings_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.sled");
    drop(open_at(&path, 1).unwrap());
    let settings = path.join("conf");
    let settings_bytes = fs::read(&settings).unwrap();
    fs::write(&settings, &settings_bytes[1..]).unwrap();
    assert!(matches!(
        rejection(open_at(&path, 1)),
        OpenError::Damaged { .. }
    ));
    fs::write(&settings, settings_bytes).unwrap();
    open_at(&path, 1).unwrap();
}

#[test]
fn missing_log_with_an_index_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.sled");
    drop(open_at(&path, 1).unwrap());
    drop(open_at(&path, 1).unwrap());
    assert!(index_of(&path).is_some());
    fs::write(path.join("db"), b"").unwrap();
    assert!(matches!(
        rejection(open_at(&path, 1)),
        OpenError::Damaged { .. }
    ));
}

/// Creates a database of three batches, and a directory for damaged copies of it.
fn three_batches() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three");
    let engine = SledEngine::open(&path, 1 << 20).unwrap();
    for value in ["first value", "second value", "third value"] {
        let mut batch = Batch::default();
        batch.put(value.as_bytes()[..1].to_vec(), value.as_bytes().to_vec());
        engine.apply(&batch).unwrap();
    }
    (folder, path)
}

fn flip(file: &Path, offset: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[offset] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// Tests damage that sled takes for the torn end after a crash. sled would open the database without what follows.
#[test]
fn truncated_log_is_rejected() {
    for value in ["first value", "third value"] {
        let (_folder, path) = three_batches();
        let log = path.join("db");
        let bytes = fs::read(&log).unwrap();
        let offset = bytes
            .windows(value.len())
            .position(|window| window == value.as_bytes())
            .unwrap();
        flip(&log, offset);
        for _ in 0..2 {
            let error = SledEngine::open(&path, 1 << 20).err().unwrap();
            assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains("of the 3 batches"), "{error}");
        }
    }
}

/// Tests an older count in the counter file. A crash between the sync of the log and the update of the file leaves it,
/// or a power failure after the update.
#[test]
fn marker_behind_the_log_is_no_damage() {
    for behind in [None, Some(vec![]), Some(vec![0; 12])] {
        let (_folder, path) = three_batches();
        match behind {
            Some(bytes) => fs::write(path.join("mark"), bytes).unwrap(),
            None => fs::remove_file(path.join("mark")).unwrap(),
        }
        drop(SledEngine::open(&path, 1 << 20).unwrap());
    }
}

#[test]
fn damaged_marker_is_rejected() {
    let (folder, path) = three_batches();
    let mark = path.join("mark");
    for offset in [7, 11] {
        flip(&mark, offset);
        let error = SledEngine::open(&path, 1 << 20).err().unwrap();
        assert!(
            matches!(error, OpenError::ManualRepairNeeded { .. }),
            "{error}"
        );
        flip(&mark, offset);
    }
    flip(&mark, 7);
    fs::rename(&mark, folder.path().join("aside")).unwrap();
    SledEngine::open(&path, 1 << 20).unwrap();
}

#[test]
fn missing_log_with_a_marker_is_damage() {
    let (_folder, path) = three_batches();
    assert!(index_of(&path).is_none());
    fs::remove_file(path.join("db")).unwrap();
    assert!(matches!(
        SledEngine::open(&path, 1 << 20).err(),
        Some(OpenError::Damaged { .. })
    ));
}

/// Tests a counter file without a log. The file is created before the first batch, and a process may die in between.
#[test]
fn zero_marker_is_an_interrupted_creation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    drop(SledEngine::open(&path, 1 << 20).unwrap());
    fs::write(path.join("db"), []).unwrap();
    for name in ["conf", "snap"] {
        let files = fs::read_dir(&path)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        files
            .filter(|file| {
                file.file_name()
                    .unwrap()
                    .to_string_lossy()
                    .starts_with(name)
            })
            .for_each(|file| fs::remove_file(file).unwrap());
    }
    assert!(path.join("mark").exists());
    let engine = SledEngine::open(&path, 1 << 20).unwrap();
    let mut batch = Batch::default();
    batch.put(b"key".to_vec(), b"value".to_vec());
    engine.apply(&batch).unwrap();
}
