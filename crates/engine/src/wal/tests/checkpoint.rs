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

#[test]
fn log_status_shows_bytes_and_age_until_applied() {
    let (fixture, wal, _) = begun();
    until(|| !wal.shared.lock().has_unapplied());
    let idle = wal.log_status().unwrap();
    assert_eq!((idle.bytes, idle.lag), (0, Duration::ZERO));
    let applies = fixture.engine.applies();
    let gate = fixture.engine.gate().lock().unwrap();
    wal.apply(&put(1, &[1; ONE_PAGE])).unwrap();
    until(|| fixture.engine.applies() > applies);
    let frozen = wal.log_status().unwrap();
    assert!(frozen.bytes >= ONE_PAGE as u64, "{frozen:?}");
    wal.apply(&put(2, &[2; ONE_PAGE])).unwrap();
    thread::sleep(Duration::from_millis(20));
    let later = wal.log_status().unwrap();
    assert!(
        later.lag >= frozen.lag + Duration::from_millis(20),
        "the age is that of the oldest change: {later:?}"
    );
    assert!(later.bytes > frozen.bytes);
    drop(gate);
    until(|| !wal.shared.lock().has_unapplied());
    let finished = wal.log_status().unwrap();
    assert_eq!((finished.bytes, finished.lag), (0, Duration::ZERO));
}

#[test]
fn replayed_log_lags_from_its_opening() {
    let (fixture, wal, _) = begun();
    fixture.engine.fill_disk();
    fixture
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    wal.apply(&put(1, &[1; ONE_PAGE])).unwrap();
    until(|| wal.shared.lock().is_full());
    let killed_fixture = fixture.killed();
    let reopened =
        Wal::open_read_only(killed_fixture.engine.clone(), &killed_fixture.log(), BYTES).unwrap();
    thread::sleep(Duration::from_millis(5));
    assert!(reopened.log_status().unwrap().lag >= Duration::from_millis(5));
}
