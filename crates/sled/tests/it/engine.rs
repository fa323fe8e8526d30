//! Tests sled as an engine: order, atomicity, snapshots, large values, and reopening in place.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use voight_engine::{Engine, EngineError, Order};
use voight_sled::SledEngine;
use voight_support::embedded::laws::{batch, get, range};

/// Size of the largest value in bytes.
const LARGEST: usize = 96 << 10;

#[test]
fn snapshot_is_stable_over_many_batches() {
    let folder = tempfile::tempdir().unwrap();
    let engine = SledEngine::open(&folder.path().join("engine"), 1 << 20).unwrap();
    let keys: Vec<_> = (0..2000).map(|number| format!("key {number:05}")).collect();
    let batch_of_all_keys = |value: Option<&'static str>, step: usize| {
        batch(
            &keys
                .iter()
                .step_by(step)
                .map(|key| (key.as_str(), value))
                .collect::<Vec<_>>(),
        )
    };
    engine.apply(&batch_of_all_keys(Some("old"), 2)).unwrap();
    let old_snapshot = engine.snapshot().unwrap();
    let old_entries = range(&old_snapshot, ("key", "kez"), Order::Ascending, usize::MAX);
    assert_eq!(old_entries.len(), 1000);
    engine.apply(&batch_of_all_keys(Some("new"), 1)).unwrap();
    engine.apply(&batch_of_all_keys(None, 4)).unwrap();
    engine.apply(&batch_of_all_keys(Some("newest"), 3)).unwrap();
    assert_eq!(
        range(&old_snapshot, ("key", "kez"), Order::Ascending, usize::MAX),
        old_entries
    );
    let backwards: Vec<_> = old_entries.iter().rev().cloned().collect();
    assert_eq!(
        range(&old_snapshot, ("key", "kez"), Order::Descending, usize::MAX),
        backwards
    );
    assert_eq!(
        range(
            &old_snapshot,
            ("key 00100", "key 00110"),
            Order::Ascending,
            usize::MAX
        ),
        old_entries[50..55]
    );
    assert_eq!(get(&old_snapshot, "key 00000"), Ok(Some(b"old".to_vec())));
    assert_eq!(get(&old_snapshot, "key 00001"), Ok(None));
    let new_snapshot = engine.snapshot().unwrap();
    assert_eq!(
        get(&new_snapshot, "key 00000"),
        Ok(Some(b"newest".to_vec()))
    );
    assert_eq!(get(&new_snapshot, "key 00004"), Ok(None));
    assert_eq!(
        range(&new_snapshot, ("key", "kez"), Order::Ascending, usize::MAX).len(),
        2000 - 500 + 167
    );
}

#[test]
fn readers_never_see_a_partial_batch() {
    let folder = tempfile::tempdir().unwrap();
    let engine = SledEngine::open(&folder.path().join("engine"), 1 << 20).unwrap();
    let keys: Vec<_> = (0..300).map(|number| format!("key {number:05}")).collect();
    let write = |round: usize| {
        let value = format!("{round}");
        engine
            .apply(&batch(
                &keys
                    .iter()
                    .map(|key| (key.as_str(), Some(value.as_str())))
                    .collect::<Vec<_>>(),
            ))
            .unwrap();
    };
    write(0);
    let is_done = AtomicBool::new(false);
    let count_values = || {
        let mut values_seen = HashSet::new();
        while !is_done.load(Ordering::Relaxed) {
            let view = engine.snapshot().unwrap();
            let entries = range(&view, ("key", "kez"), Order::Ascending, usize::MAX);
            let values: HashSet<_> = entries
                .iter()
                .map(|entry| entry.split_once('=').unwrap().1.to_owned())
                .collect();
            assert_eq!(entries.len(), keys.len(), "{values:?}");
            assert_eq!(values.len(), 1, "{values:?}");
            let value = values.into_iter().next().unwrap();
            assert_eq!(get(&view, &keys[299]), Ok(Some(value.clone().into_bytes())));
            values_seen.insert(value);
        }
        values_seen.len()
    };
    let max_values = thread::scope(|scope| {
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(count_values)).collect();
        (1..=60).for_each(write);
        is_done.store(true, Ordering::Relaxed);
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .max()
            .unwrap()
    });
    assert!(max_values > 1, "no read ran during a write");
}

#[test]
fn large_values_stay_inside_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    let value = |number: usize| format!("{number:08}").repeat(LARGEST / 8);
    let engine = SledEngine::open(&path, 1 << 20).unwrap();
    // Many values in one batch and on one page, overwritten and removed, so that pages are rewritten, split and merged.
    for round in 0..3 {
        for first in (0..96).step_by(48) {
            let keys: Vec<_> = (first..first + 48)
                .map(|number| (format!("key {number:05}"), value(number + round)))
                .collect();
            engine
                .apply(&batch(
                    &keys
                        .iter()
                        .map(|(key, value)| (key.as_str(), Some(value.as_str())))
                        .collect::<Vec<_>>(),
                ))
                .unwrap();
        }
        let removed_keys: Vec<_> = (0..96)
            .step_by(5)
            .map(|number| format!("key {number:05}"))
            .collect();
        engine
            .apply(&batch(
                &removed_keys
                    .iter()
                    .map(|key| (key.as_str(), None))
                    .collect::<Vec<_>>(),
            ))
            .unwrap();
        assert_eq!(
            fs::read_dir(path.join("blobs")).unwrap().count(),
            0,
            "a value lies in a file of its own"
        );
    }
    drop(engine);
    let engine = SledEngine::open(&path, 1 << 20).unwrap();
    let view = engine.snapshot().unwrap();
    assert_eq!(get(&view, "key 00001"), Ok(Some(value(3).into_bytes())));
    assert_eq!(
        range(&view, ("key", "kez"), Order::Ascending, usize::MAX).len(),
        96 - 20
    );
    assert_eq!(fs::read_dir(path.join("blobs")).unwrap().count(), 0);
}

#[test]
fn oversized_value_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let engine = SledEngine::open(&folder.path().join("engine"), 1 << 20).unwrap();
    let apply_result = engine.apply(&batch(&[
        ("a", Some("1")),
        ("b", Some(&"v".repeat(LARGEST + 1))),
    ]));
    assert_eq!(
        apply_result,
        Err(EngineError::Io(
            "a value of 98305 bytes is too large".into()
        ))
    );
    assert_eq!(get(&engine.snapshot().unwrap(), "a"), Ok(None));
    engine
        .apply(&batch(&[("b", Some(&"v".repeat(LARGEST)))]))
        .unwrap();
}

#[test]
fn lost_index_loses_no_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    let keys: Vec<_> = (0..500).map(|number| format!("key {number:05}")).collect();
    for round in 0..4 {
        let engine = SledEngine::open(&path, 1 << 20).unwrap();
        for pass in 0..5 {
            let value = format!("{round} {pass} ").repeat(1500);
            engine
                .apply(&batch(
                    &keys
                        .iter()
                        .map(|key| (key.as_str(), Some(value.as_str())))
                        .collect::<Vec<_>>(),
                ))
                .unwrap();
        }
    }
    let indexes = || {
        fs::read_dir(&path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.display().to_string().contains("/snap."))
    };
    assert_eq!(indexes().count(), 1);
    indexes().for_each(|index| fs::remove_file(index).unwrap());
    let engine = SledEngine::open(&path, 1 << 20).unwrap();
    let view = engine.snapshot().unwrap();
    let entries = range(&view, ("key", "kez"), Order::Ascending, usize::MAX);
    assert_eq!(entries.len(), keys.len());
    assert!(
        entries.iter().all(|entry| entry.contains("=3 4 ")),
        "an old value came back"
    );
}

#[test]
fn reopening_in_place_ends_old_snapshots() {
    let folder = tempfile::tempdir().unwrap();
    let engine = SledEngine::open(&folder.path().join("engine"), 1 << 20).unwrap();
    engine.apply(&batch(&[("a", Some("1"))])).unwrap();
    let old = engine.snapshot().unwrap();
    engine.recover().unwrap();
    assert_eq!(get(&old, "a"), Err(EngineError::Stale));
    engine.apply(&batch(&[("b", Some("2"))])).unwrap();
    assert_eq!(
        range(&engine.snapshot().unwrap(), ("a", "c"), Order::Ascending, 9),
        ["a=1", "b=2"]
    );
    drop(engine);
    assert_eq!(get(&old, "a"), Err(EngineError::Stale));
    // A snapshot does not lock the directory.
    SledEngine::open(&folder.path().join("engine"), 1 << 20).unwrap();
}
