//! Tests entries that are appended during a checkpoint: their part of the log is not freed with it.

use super::*;

/// Value size for which an entry fills one page.
const ONE_PAGE: usize = 3000;
/// Number of failures that no test exhausts.
const MANY: usize = 1000;

/// Gives the engine space for `commits` commits, and none afterwards.
fn full_after(engine: &FaultyEngine, commits: usize) {
    engine.pass_applies(commits);
    for _ in 0..MANY {
        engine.fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    }
}

/// Writes entries of one page each, from key `first` on, until the log is full.
fn fill(wal: &Wal<FaultyEngine>, first: u8, expected: &mut Map) {
    for key in first..first + 32 {
        match wal.apply(&put(key, &[key; ONE_PAGE])) {
            Ok(()) => drop(expected.insert(vec![key], vec![key; ONE_PAGE])),
            Err(error) => {
                assert!(matches!(error, EngineError::Full(_)), "{error:?}");
                return;
            }
        }
    }
    panic!("the log was written over before a checkpoint");
}

fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Creates a log in use, with one entry applied to the engine.
fn begun() -> (WalFixture, Wal<FaultyEngine>, Map) {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"first")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    (fixture, wal, map([(0, b"first")]))
}

/// Fills the log to its last page, kills the process and reopens the store. Returns the found and the expected entries.
fn lapped_and_killed(
    fixture: &WalFixture,
    wal: &Wal<FaultyEngine>,
    mut expected: Map,
) -> (Map, Map) {
    fill(wal, 10, &mut expected);
    let killed_fixture = fixture.killed();
    let entries = seen(&killed_fixture.open().unwrap());
    (entries, expected)
}

#[test]
fn entries_during_a_checkpoint_survive_a_kill() {
    let (fixture, wal, mut expected) = begun();
    let applies = fixture.engine.applies();
    let gate = fixture.engine.gate().lock().unwrap();
    wal.apply(&put(1, &[1; ONE_PAGE])).unwrap();
    until(|| fixture.engine.applies() > applies);
    for key in 2..4 {
        wal.apply(&put(key, &[key; ONE_PAGE])).unwrap();
    }
    // The blocked checkpoint succeeds, and no later one.
    full_after(&fixture.engine, 1);
    drop(gate);
    until(|| wal.shared.lock().is_full());
    expected.extend((1..4).map(|key| (vec![key], vec![key; ONE_PAGE])));
    let (entries, expected) = lapped_and_killed(&fixture, &wal, expected);
    assert_eq!(entries, expected);
}

#[test]
fn repeated_checkpoint_frees_space_once() {
    let (fixture, wal, mut expected) = begun();
    fixture.engine.fill_disk();
    fixture
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    wal.apply(&put(1, &[1; ONE_PAGE])).unwrap();
    until(|| wal.shared.lock().is_full());
    for key in 2..4 {
        wal.apply(&put(key, &[key; ONE_PAGE])).unwrap();
    }
    let applies = fixture.engine.applies();
    full_after(&fixture.engine, 1);
    fixture.engine.free_disk();
    until(|| fixture.engine.applies() > applies + 1 && wal.shared.lock().is_full());
    fixture.engine.fill_disk();
    expected.extend((1..4).map(|key| (vec![key], vec![key; ONE_PAGE])));
    let (entries, expected) = lapped_and_killed(&fixture, &wal, expected);
    assert_eq!(entries, expected);
}
