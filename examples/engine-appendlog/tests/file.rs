//! Torn, damaged, foreign and locked files of the append log.
#![expect(clippy::unwrap_used, reason = "a test stops at the first error")]

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use voight_engine::{Batch, Engine, OpenError, PersistentEngine, Read};
use voight_examples::engine_appendlog::AppendLog;

fn open(path: &Path) -> Result<AppendLog, OpenError> {
    AppendLog::open_at(path, 0)
}

fn put(engine: &AppendLog, key: &str, value: &str) {
    let mut batch = Batch::default();
    batch.put(key.into(), value.into());
    engine.apply(&batch).unwrap();
}

fn get(engine: &AppendLog, key: &str) -> Option<String> {
    let mut text = None;
    let visit = &mut |value: &[u8]| text = Some(String::from_utf8(value.to_vec()).unwrap());
    engine
        .snapshot()
        .unwrap()
        .get(key.as_bytes(), visit)
        .unwrap();
    text
}

/// Returns a file with three frames, and the end of each.
fn filled() -> (TempDir, PathBuf, [usize; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let engine = open(&path).unwrap();
    let ends = ["one", "two", "three"].map(|key| {
        put(&engine, key, "1");
        usize::try_from(fs::metadata(&path).unwrap().len()).unwrap()
    });
    (folder, path, ends)
}

fn rejection(path: &Path) -> OpenError {
    match open(path) {
        Ok(_) => panic!("the file was opened"),
        Err(error) => error,
    }
}

#[test]
fn only_a_torn_last_frame_is_truncated() {
    let (_folder, path, ends) = filled();
    let content = fs::read(&path).unwrap();
    for length in ends[1]..ends[2] {
        fs::write(&path, &content[..length]).unwrap();
        let engine = open(&path).unwrap();
        assert_eq!(get(&engine, "two"), Some("1".into()), "cut at {length}");
        assert_eq!(get(&engine, "three"), None, "cut at {length}");
        put(&engine, "four", "1");
        drop(engine);
        let engine = open(&path).unwrap();
        assert_eq!(get(&engine, "three"), None, "cut at {length}");
        assert_eq!(get(&engine, "four"), Some("1".into()), "cut at {length}");
    }
}

#[test]
fn corrupt_frame_is_reported() {
    let (_folder, path, ends) = filled();
    let content = fs::read(&path).unwrap();
    for bit in ends[0] * 8..ends[1] * 8 {
        let mut corrupt_content = content.clone();
        corrupt_content[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &corrupt_content).unwrap();
        let error = rejection(&path);
        assert!(
            matches!(error, OpenError::Damaged { .. }),
            "bit {bit}: {error}"
        );
        assert_eq!(fs::read(&path).unwrap(), corrupt_content);
    }
}

#[test]
fn foreign_or_locked_file_is_rejected() {
    let (folder, path, _) = filled();
    let foreign_file = folder.path().join("notes");
    fs::write(&foreign_file, "my notes").unwrap();
    assert!(matches!(
        rejection(&foreign_file),
        OpenError::NotAStore { .. }
    ));
    assert_eq!(fs::read_to_string(&foreign_file).unwrap(), "my notes");
    let engine = open(&path).unwrap();
    assert!(matches!(rejection(&path), OpenError::InUse { .. }));
    drop(engine);
    assert!(open(&path).is_ok());
}

#[test]
fn interrupted_creation_is_opened() {
    let (_folder, path, _) = filled();
    for length in [0, 1, 19] {
        let start = &fs::read(&path).unwrap()[..length];
        fs::write(&path, start).unwrap();
        assert_eq!(AppendLog::is_missing(&path), Ok(true));
        put(&open(&path).unwrap(), "one", "1");
        assert_eq!(get(&open(&path).unwrap(), "one"), Some("1".into()));
        assert_eq!(AppendLog::is_missing(&path), Ok(false));
    }
}
