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
fn fill(logged: &Wal<FaultyEngine>, first: u8, expected: &mut Map) {
    for key in first..first + 32 {
        match logged.apply(&put(key, &[key; ONE_PAGE])) {
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
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"first")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    (place, logged, map([(0, b"first")]))
}

/// Fills the log to its last page, kills the process and reopens the store. Returns the found and the expected entries.
fn lapped_and_killed(
    place: &WalFixture,
    logged: &Wal<FaultyEngine>,
    mut expected: Map,
) -> (Map, Map) {
    fill(logged, 10, &mut expected);
    let left = place.killed();
    let found = seen(&left.open().unwrap());
    (found, expected)
}

#[test]
fn entries_appended_during_a_held_checkpoint_survive_a_lap_of_the_log_and_a_kill() {
    let (place, logged, mut expected) = begun();
    let before = place.engine.applies();
    let gate = place.engine.gate().lock().unwrap();
    logged.apply(&put(1, &[1; ONE_PAGE])).unwrap();
    until(|| place.engine.applies() > before);
    for key in 2..4 {
        logged.apply(&put(key, &[key; ONE_PAGE])).unwrap();
    }
    // The blocked checkpoint succeeds, and no later one.
    full_after(&place.engine, 1);
    drop(gate);
    until(|| logged.shared.lock().is_full());
    expected.extend((1..4).map(|key| (vec![key], vec![key; ONE_PAGE])));
    let (found, expected) = lapped_and_killed(&place, &logged, expected);
    assert_eq!(found, expected);
}

#[test]
fn repeated_checkpoint_releases_its_space_once() {
    let (place, logged, mut expected) = begun();
    place.engine.fill_disk();
    place
        .engine
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    logged.apply(&put(1, &[1; ONE_PAGE])).unwrap();
    until(|| logged.shared.lock().is_full());
    for key in 2..4 {
        logged.apply(&put(key, &[key; ONE_PAGE])).unwrap();
    }
    let before = place.engine.applies();
    full_after(&place.engine, 1);
    place.engine.free_disk();
    until(|| place.engine.applies() > before + 1 && logged.shared.lock().is_full());
    place.engine.fill_disk();
    expected.extend((1..4).map(|key| (vec![key], vec![key; ONE_PAGE])));
    let (found, expected) = lapped_and_killed(&place, &logged, expected);
    assert_eq!(found, expected);
}
