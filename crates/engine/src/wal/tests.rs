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
        let copy = Self::new();
        let entries = self.engine.entries();
        copy.engine
            .modify_entries(|map| entries.as_ref().clone_into(map));
        fs::copy(self.log(), copy.log()).unwrap();
        copy
    }
}

fn put(key: u8, value: &[u8]) -> Batch {
    let mut batch = Batch::default();
    batch.put(vec![key], value.to_vec());
    batch
}

fn entries(view: &impl Read) -> Map {
    let mut entries = Map::new();
    let visit = &mut |key: &[u8], value: &[u8]| {
        entries.insert(key.to_vec(), value.to_vec());
        ControlFlow::Continue(())
    };
    view.range(&[], &END, Order::Ascending, visit).unwrap();
    entries
}

fn seen(wal: &Wal<FaultyEngine>) -> Map {
    entries(&wal.snapshot().unwrap())
}

fn map<const N: usize>(entries: [(u8, &[u8]); N]) -> Map {
    entries
        .map(|(key, value)| (vec![key], value.to_vec()))
        .into()
}

#[test]
fn unused_log_is_removed_on_close() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    let log = fs::canonicalize(fixture.log()).unwrap();
    let mut open = fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    assert!(
        open.any(|path| path == log),
        "{} is not open",
        log.display()
    );
    drop(wal);
    assert!(!fixture.log().exists());
}

#[test]
fn close_moves_batches_into_the_database() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    assert_eq!(
        fs::metadata(fixture.log()).unwrap().len(),
        0,
        "nothing was written yet"
    );
    wal.apply(&put(1, b"a")).unwrap();
    assert_eq!(seen(&wal), map([(1, b"a")]));
    assert!(fixture.log().exists());
    drop(wal);
    assert_eq!(
        entries(&fixture.engine.snapshot().unwrap()),
        map([(1, b"a")])
    );
    assert!(!fixture.log().exists());
    let reopened_wal = fixture.open().unwrap();
    reopened_wal.apply(&put(2, b"b")).unwrap();
    assert_eq!(seen(&reopened_wal), map([(1, b"a"), (2, b"b")]));
}

#[test]
fn checkpoint_does_not_change_a_snapshot() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    for round in 0..40_u8 {
        wal.apply(&put(1, &[round])).unwrap();
        let snapshot = wal.snapshot().unwrap();
        wal.apply(&put(1, b"later")).unwrap();
        if round % 2 == 0 {
            wal.shared.wait_for_checkpoint().unwrap();
        }
        assert_eq!(entries(&snapshot), map([(1, &[round])]));
        assert_eq!(seen(&wal), map([(1, b"later")]));
    }
}

#[test]
fn interrupted_checkpoint_is_repeated() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(1, b"a")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    // The commit reports a lack of space, but is applied.
    fixture
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Applied);
    wal.apply(&put(1, b"b")).unwrap();
    while wal.shared.lock().has_unapplied() {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(seen(&wal), map([(1, b"b")]));
}

#[test]
fn waiting_caller_ends_checkpoint_throttling() {
    /// Number of pauses that takes a minute with throttling, and 50 ms without.
    const PAUSES: usize = 120_000;
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(1, b"a")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    let applies = fixture.engine.applies();
    fixture.engine.set_pauses(PAUSES);
    wal.apply(&put(1, b"b")).unwrap();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(
        fixture.engine.applies(),
        applies,
        "the checkpoint has not finished its pauses"
    );
    wal.shared.wait_for_checkpoint().unwrap();
    assert_eq!(entries(&fixture.engine.snapshot().unwrap())[&vec![1]], b"b");
}

#[test]
fn writes_continue_until_log_is_full() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    fixture.engine.fill_disk();
    fixture
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    let mut batches = 0;
    let full = loop {
        match wal.apply(&put(1, &[batches; 4000])) {
            Ok(()) => batches += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, EngineError::Full(_)), "{full:?}");
    assert!(batches > 5, "{batches}");
    assert_eq!(wal.recover(), Ok(()));
    assert_eq!(wal.has_free_space(), Ok(false));
    assert_eq!(seen(&wal), map([(0, b""), (1, &[batches - 1; 4000])]));
    fixture.engine.free_disk();
    while wal.has_free_space() != Ok(true) {
        thread::sleep(Duration::from_millis(10));
    }
    wal.apply(&put(1, b"back")).unwrap();
    drop(wal);
    assert_eq!(
        entries(&fixture.engine.snapshot().unwrap()),
        map([(0, b""), (1, b"back")])
    );
}

#[test]
fn failed_checkpoint_keeps_the_log() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"a")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    fixture
        .engine
        .fail_apply(EngineError::Io("gone".into()), FailedBatch::Discarded);
    wal.apply(&put(1, b"b")).unwrap();
    while wal.health().is_ok() {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(
        wal.apply(&put(2, b"c")),
        Err(EngineError::Io("gone".into()))
    );
    assert_eq!(seen(&wal), map([(0, b"a"), (1, b"b")]));
    drop(wal);
    assert_eq!(seen(&fixture.open().unwrap()), map([(0, b"a"), (1, b"b")]));
}

#[test]
fn large_batch_bypasses_the_log() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(1, b"small")).unwrap();
    let large = vec![1; usize::try_from(BYTES).unwrap()];
    wal.apply(&put(1, &large)).unwrap();
    assert_eq!(fixture.engine.entries()[&vec![1]], large);
    wal.apply(&put(2, b"small again")).unwrap();
    assert_eq!(seen(&wal), map([(1, &large), (2, b"small again")]));
}
