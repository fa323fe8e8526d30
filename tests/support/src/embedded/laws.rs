//! Tests of the order and the snapshots of an engine, and helpers to write and read.

use super::EngineUnderTest;
use std::ops::ControlFlow;
use voight_engine::{Batch, Engine, EngineError, Order, PersistentEngine, Read};

/// Creates a batch that puts the given values and removes keys without one.
pub fn batch(entries: &[(&str, Option<&str>)]) -> Batch {
    entries
        .iter()
        .fold(Batch::default(), |mut batch, (key, value)| {
            match value {
                Some(value) => batch.put(key.as_bytes().to_vec(), value.as_bytes().to_vec()),
                None => batch.remove(key.as_bytes().to_vec()),
            }
            batch
        })
}

/// Returns the first `limit` entries of a range as `key=value`.
pub fn range(
    view: &impl Read,
    (from, to): (&str, &str),
    order: Order,
    limit: usize,
) -> Vec<String> {
    let mut entries = Vec::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        entries.push(format!(
            "{}={}",
            String::from_utf8_lossy(key),
            String::from_utf8_lossy(value)
        ));
        if entries.len() == limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    assert_eq!(
        view.range(from.as_bytes(), to.as_bytes(), order, &mut visit),
        Ok(())
    );
    entries
}

/// Returns the value of a key.
pub fn get(view: &impl Read, key: &str) -> Result<Option<Vec<u8>>, EngineError> {
    let mut value_found = None;
    view.get(key.as_bytes(), &mut |value| {
        value_found = Some(value.to_vec());
    })
    .map(|()| value_found)
}

/// Tests that a range includes its first key and excludes its end, in both orders.
pub fn ranges_are_half_open_in_both_orders<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let engine = T::Engine::open_at(&folder.path().join("engine"), 1 << 20).unwrap();
    engine
        .apply(&batch(&[
            ("a", Some("1")),
            ("b", Some("2")),
            ("c", Some("3")),
            ("d", Some("4")),
        ]))
        .unwrap();
    engine
        .apply(&batch(&[("b", None), ("c", Some("5"))]))
        .unwrap();
    let view = engine.snapshot().unwrap();
    assert_eq!(
        range(&view, ("a", "d"), Order::Ascending, 9),
        ["a=1", "c=5"]
    );
    assert_eq!(
        range(&view, ("a", "e"), Order::Descending, 2),
        ["d=4", "c=5"]
    );
    assert!(range(&view, ("d", "a"), Order::Ascending, 9).is_empty());
    assert_eq!(
        (get(&view, "c"), get(&view, "b")),
        (Ok(Some(b"5".to_vec())), Ok(None))
    );
}

/// Tests that a snapshot does not show later writes.
pub fn a_snapshot_does_not_change<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let engine = T::Engine::open_at(&folder.path().join("engine"), 1 << 20).unwrap();
    engine.apply(&batch(&[("a", Some("1"))])).unwrap();
    let snapshot_before = engine.snapshot().unwrap();
    engine.apply(&batch(&[("a", Some("2"))])).unwrap();
    assert_eq!(get(&snapshot_before, "a"), Ok(Some(b"1".to_vec())));
    assert_eq!(
        get(&engine.snapshot().unwrap(), "a"),
        Ok(Some(b"2".to_vec()))
    );
}

/// Tests that several batches become visible together and in order.
pub fn several_batches_are_seen_at_once<T: EngineUnderTest>() {
    let folder = tempfile::tempdir().unwrap();
    let engine = T::Engine::open_at(&folder.path().join("engine"), 1 << 20).unwrap();
    let keys: Vec<_> = (0..250).map(|number| format!("key {number:03}")).collect();
    let all_keys = batch(
        &keys
            .iter()
            .map(|key| (key.as_str(), Some("1")))
            .collect::<Vec<_>>(),
    );
    let visible_count = || {
        range(
            &engine.snapshot().unwrap(),
            ("key", "kez"),
            Order::Ascending,
            usize::MAX,
        )
        .len()
    };
    let mut pauses = Vec::new();
    let later = batch(&[("key 000", None), ("key 001", Some("2"))]);
    engine
        .apply_all(&[all_keys, later], &mut || pauses.push(visible_count()))
        .unwrap();
    assert!(
        pauses.iter().all(|&visible_count| visible_count == 0),
        "{pauses:?}"
    );
    assert_eq!(visible_count(), keys.len() - 1);
    assert_eq!(
        get(&engine.snapshot().unwrap(), "key 001"),
        Ok(Some(b"2".to_vec()))
    );
    assert_eq!(pauses.len(), T::PAUSES);
}
