//! Torn, damaged, foreign and locked files of the append log.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use voight_embedded::{Batch, Engine, OpenError, PersistentEngine, Read};
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

fn refusal(path: &Path) -> OpenError {
    match open(path) {
        Ok(_) => panic!("the file was opened"),
        Err(error) => error,
    }
}

#[test]
fn only_a_torn_frame_at_the_end_is_truncated() {
    let (_folder, path, ends) = filled();
    let content = fs::read(&path).unwrap();
    for length in ends[1]..ends[2] {
        fs::write(&path, &content[..length]).unwrap();
        let engine = open(&path).unwrap();
        assert_eq!(
            (get(&engine, "two"), get(&engine, "three")),
            (Some("1".into()), None),
            "cut at {length}"
        );
        put(&engine, "four", "1");
        drop(engine);
        let engine = open(&path).unwrap();
        assert_eq!(
            (get(&engine, "three"), get(&engine, "four")),
            (None, Some("1".into())),
            "cut at {length}"
        );
    }
}

#[test]
fn a_corrupt_frame_before_others_is_an_error_and_unchanged() {
    let (_folder, path, ends) = filled();
    let content = fs::read(&path).unwrap();
    for bit in ends[0] * 8..ends[1] * 8 {
        let mut flipped = content.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).unwrap();
        let refused = refusal(&path);
        assert!(
            matches!(refused, OpenError::Damaged { .. }),
            "bit {bit}: {refused}"
        );
        assert_eq!(fs::read(&path).unwrap(), flipped);
    }
}

#[test]
fn a_foreign_file_and_a_locked_one_are_errors() {
    let (folder, path, _) = filled();
    let other = folder.path().join("notes");
    fs::write(&other, "my notes").unwrap();
    assert!(matches!(refusal(&other), OpenError::NotAStore { .. }));
    assert_eq!(fs::read_to_string(&other).unwrap(), "my notes");
    let engine = open(&path).unwrap();
    assert!(matches!(refusal(&path), OpenError::InUse { .. }));
    drop(engine);
    assert!(open(&path).is_ok());
}

#[test]
fn a_file_of_a_crash_during_creation_is_opened() {
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
