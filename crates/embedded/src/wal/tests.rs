mod checkpoint;
mod crash;
mod laps;
mod torn;

use super::*;
use crate::testing::{FailedBatch, FaultyEngine, Map};
use crate::{Order, Read};
use std::fs;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Small log, so that tests wrap around it.
const BYTES: u64 = 16 * 4096;
/// Key that sorts after every key of a test, and before the checkpoint record.
const END: [u8; 2] = [u8::MAX; 2];

/// Engine with a log in a temporary directory.
struct WalFixture {
    folder: TempDir,
    engine: FaultyEngine,
}

impl WalFixture {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            engine: FaultyEngine::default(),
        }
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn open(&self) -> Result<Wal<FaultyEngine>, OpenError> {
        Wal::open(self.engine.clone(), &self.log(), BYTES)
    }

    /// Copies the state that a kill leaves at this moment. The engine must be idle.
    fn killed(&self) -> Self {
        let left = Self::new();
        let entries = self.engine.entries();
        left.engine
            .modify_entries(|map| entries.as_ref().clone_into(map));
        fs::copy(self.log(), left.log()).unwrap();
        left
    }
}

fn put(key: u8, value: &[u8]) -> Batch {
    let mut batch = Batch::default();
    batch.put(vec![key], value.to_vec());
    batch
}

fn entries(view: &impl Read) -> Map {
    let mut found = Map::new();
    let visit = &mut |key: &[u8], value: &[u8]| {
        found.insert(key.to_vec(), value.to_vec());
        ControlFlow::Continue(())
    };
    view.range(&[], &END, Order::Ascending, visit).unwrap();
    found
}

fn seen(logged: &Wal<FaultyEngine>) -> Map {
    entries(&logged.snapshot().unwrap())
}

fn map<const N: usize>(entries: [(u8, &[u8]); N]) -> Map {
    entries
        .map(|(key, value)| (vec![key], value.to_vec()))
        .into()
}

#[test]
fn a_log_is_open_before_its_first_write_and_leaves_no_empty_file() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    let log = fs::canonicalize(place.log()).unwrap();
    let mut open = fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    assert!(
        open.any(|path| path == log),
        "{} is not open",
        log.display()
    );
    drop(logged);
    assert!(!place.log().exists());
}

#[test]
fn applied_batch_is_visible_at_once_and_only_in_the_database_after_close() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    assert_eq!(
        fs::metadata(place.log()).unwrap().len(),
        0,
        "nothing was written yet"
    );
    logged.apply(&put(1, b"a")).unwrap();
    assert_eq!(seen(&logged), map([(1, b"a")]));
    assert!(place.log().exists());
    drop(logged);
    assert_eq!(entries(&place.engine.snapshot().unwrap()), map([(1, b"a")]));
    assert!(!place.log().exists());
    let again = place.open().unwrap();
    again.apply(&put(2, b"b")).unwrap();
    assert_eq!(seen(&again), map([(1, b"a"), (2, b"b")]));
}

#[test]
fn checkpoint_does_not_change_a_snapshot() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    for round in 0..40_u8 {
        logged.apply(&put(1, &[round])).unwrap();
        let before = logged.snapshot().unwrap();
        logged.apply(&put(1, b"later")).unwrap();
        if round % 2 == 0 {
            logged.shared.wait_for_checkpoint().unwrap();
        }
        assert_eq!(entries(&before), map([(1, &[round])]));
        assert_eq!(seen(&logged), map([(1, b"later")]));
    }
}

#[test]
fn interrupted_checkpoint_is_repeated() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(1, b"a")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    // The commit reports a lack of space, but is applied.
    place
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Applied);
    logged.apply(&put(1, b"b")).unwrap();
    while logged.shared.lock().has_unapplied() {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(seen(&logged), map([(1, b"b")]));
}

#[test]
fn checkpoint_is_throttled_until_a_caller_waits() {
    /// Number of pauses that takes a minute with throttling, and 50 ms without.
    const PAUSES: usize = 120_000;
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(1, b"a")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    let before = place.engine.applies();
    place.engine.set_pauses(PAUSES);
    logged.apply(&put(1, b"b")).unwrap();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(
        place.engine.applies(),
        before,
        "the checkpoint has not finished its pauses"
    );
    logged.shared.wait_for_checkpoint().unwrap();
    assert_eq!(entries(&place.engine.snapshot().unwrap())[&vec![1]], b"b");
}

#[test]
fn without_space_for_checkpoints_writes_continue_until_the_log_is_full() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    place.engine.fill_disk();
    place
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    let mut written = 0;
    let full = loop {
        match logged.apply(&put(1, &[written; 4000])) {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, EngineError::Full(_)), "{full:?}");
    assert!(written > 5, "{written}");
    assert_eq!(
        (logged.recover(), logged.has_free_space()),
        (Ok(()), Ok(false))
    );
    assert_eq!(seen(&logged), map([(0, b""), (1, &[written - 1; 4000])]));
    place.engine.free_disk();
    while logged.has_free_space() != Ok(true) {
        thread::sleep(Duration::from_millis(10));
    }
    logged.apply(&put(1, b"back")).unwrap();
    drop(logged);
    assert_eq!(
        entries(&place.engine.snapshot().unwrap()),
        map([(0, b""), (1, b"back")])
    );
}

#[test]
fn failed_checkpoint_stops_writes_and_keeps_the_log() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"a")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    place
        .engine
        .fail_apply(EngineError::Io("gone".into()), FailedBatch::Discarded);
    logged.apply(&put(1, b"b")).unwrap();
    while logged.health().is_ok() {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(
        logged.apply(&put(2, b"c")),
        Err(EngineError::Io("gone".into()))
    );
    assert_eq!(seen(&logged), map([(0, b"a"), (1, b"b")]));
    drop(logged);
    assert_eq!(seen(&place.open().unwrap()), map([(0, b"a"), (1, b"b")]));
}

#[test]
fn large_batch_bypasses_the_log_after_earlier_batches() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(1, b"small")).unwrap();
    let large = vec![1; usize::try_from(BYTES).unwrap()];
    logged.apply(&put(1, &large)).unwrap();
    assert_eq!(place.engine.entries()[&vec![1]], large);
    logged.apply(&put(2, b"small again")).unwrap();
    assert_eq!(seen(&logged), map([(1, &large), (2, b"small again")]));
}
