use super::block::MAX_BLOCK_BYTES;
use super::*;
use crate::testing::MapEngine;
use crate::{EntryVisitor, Order, Read};
use proptest::prelude::*;
use std::ops::ControlFlow;
use voight_encoding::keyspace::Table;

const LEDGERS: [[u8; 5]; 3] = [[0, 0, 0, 1, 0], [0, 0, 0, 1, 1], [255, 255, 255, 255, 1]];

type Entries = Vec<(Vec<u8>, Vec<u8>)>;

fn key(table: u8, ledger: usize, seq: u64) -> Vec<u8> {
    [&[table], &LEDGERS[ledger][..], &seq.to_be_bytes()].concat()
}

fn value(key: &[u8], length: usize) -> Vec<u8> {
    checksum::with_checksum(key, vec![u8::try_from(length % 251).unwrap(); length])
}

/// Keys around the tables in blocks.
fn keys() -> impl Strategy<Value = Vec<u8>> {
    let tables = prop_oneof![
        Table::Row as u8 - 1..=Table::Opening as u8 + 1,
        Table::IdempotencyRecord as u8 - 1..=Table::IdempotencyRecord as u8 + 1
    ];
    (tables, 0..LEDGERS.len(), 0..300_u64).prop_map(|(table, ledger, seq)| key(table, ledger, seq))
}

/// Batches of appended rows, and of random changes.
fn batches() -> impl Strategy<Value = Vec<Batch>> {
    let append = (0..LEDGERS.len(), 0..250_u64, 1..120_u64, 0..90_usize).prop_map(
        |(ledger, first, count, length)| {
            let mut batch = Batch::default();
            for seq in first..first + count {
                for table in [Table::Row, Table::Opening, Table::IdempotencyRecord] {
                    let key = key(table as u8, ledger, seq);
                    let value = value(&key, length);
                    batch.put(key, value);
                }
            }
            batch
        },
    );
    let random = prop::collection::vec((keys(), any::<Option<u8>>()), 0..40).prop_map(|changes| {
        let mut batch = Batch::default();
        for (key, length) in changes {
            match length {
                // Some records are larger than a block.
                Some(length) => {
                    let value = value(&key, usize::from(length).pow(2) / 8);
                    batch.put(key, value);
                }
                None => batch.remove(key),
            }
        }
        batch
    });
    prop::collection::vec(prop_oneof![append, random], 0..8)
}

fn scan(view: &dyn Read, from: &[u8], to: &[u8], order: Order, limit: usize) -> Entries {
    let mut entries = Entries::new();
    let visit: &mut EntryVisitor<'_> = &mut |key, value| {
        entries.push((key.to_vec(), value.to_vec()));
        if entries.len() == limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    view.range(from, to, order, visit).unwrap();
    entries
}

fn get(view: &dyn Read, key: &[u8]) -> Option<Vec<u8>> {
    let mut record = None;
    view.get(key, &mut |value| record = Some(value.to_vec()))
        .unwrap();
    record
}

proptest! {
    #[test]
    fn blocks_read_like_single_records(batches in batches(), from in keys(), to in keys(), limit in 1..200_usize) {
        let plain = MapEngine::default();
        let blocks = BlockEngine::new(MapEngine::default());
        let (at_once, later) = batches.split_at(batches.len() / 2);
        blocks.apply_all(at_once, &mut || {}).unwrap();
        later.iter().try_for_each(|batch| blocks.apply(batch)).unwrap();
        batches.iter().try_for_each(|batch| plain.apply(batch)).unwrap();
        let plain = plain.snapshot().unwrap();
        let view = blocks.snapshot().unwrap();
        for order in [Order::Ascending, Order::Descending] {
            prop_assert_eq!(scan(&view, &[], &[u8::MAX], order, usize::MAX), scan(&plain, &[], &[u8::MAX], order, usize::MAX));
            prop_assert_eq!(scan(&view, &from, &to, order, limit), scan(&plain, &from, &to, order, limit));
        }
        for key in scan(&plain, &[], &[u8::MAX], Order::Ascending, usize::MAX).into_iter().map(|(key, _)| key).chain([from, to]) {
            prop_assert_eq!(get(&view, &key), get(&plain, &key));
        }
        for (key, value) in blocks.inner.entries().iter().filter(|(key, _)| Region::of_key(key).is_some()) {
            let is_small = value.len() <= MAX_BLOCK_BYTES || block::decode(key, value).unwrap().len() == 1;
            prop_assert!(is_small, "{} bytes", value.len());
        }
    }
}

fn rows(engine: &BlockEngine<MapEngine>, from: u64, to: u64) {
    let mut batch = Batch::default();
    for seq in from..to {
        let key = key(Table::Row as u8, 0, seq);
        let value = value(&key, 64);
        batch.put(key, value);
    }
    engine.apply(&batch).unwrap();
}

#[test]
fn appended_rows_fill_blocks() {
    let engine = BlockEngine::new(MapEngine::default());
    for first in (0..6000).step_by(7) {
        rows(&engine, first, first + 7);
    }
    let entries = engine.inner.entries();
    let bytes: usize = entries
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    // 64 bytes of the record, four of lengths and of the rest of the key, and a share of the block's key and checksum.
    assert!((68 * 6000..69 * 6000).contains(&bytes), "{bytes} bytes");
    let full = entries
        .values()
        .filter(|value| value.len() > MAX_BLOCK_BYTES - 70)
        .count();
    assert_eq!(
        full,
        entries.len() - 1,
        "all blocks but the last one are full"
    );
}

#[test]
fn removed_record_leaves_no_trace() {
    let engine = BlockEngine::new(MapEngine::default());
    rows(&engine, 0, 10);
    let mut batch = Batch::default();
    let first = key(Table::Row as u8, 0, 0);
    let fifth = key(Table::Row as u8, 0, 5);
    let secret = checksum::with_checksum(&fifth, b"a secret".to_vec());
    batch.put(fifth.clone(), secret);
    engine.apply(&batch).unwrap();
    let is_kept = || {
        engine
            .inner
            .entries()
            .values()
            .any(|value| value.windows(8).any(|bytes| bytes == b"a secret"))
    };
    assert!(is_kept());
    let mut batch = Batch::default();
    batch.remove(first.clone());
    batch.remove(fifth);
    engine.apply(&batch).unwrap();
    assert!(!is_kept());
    assert!(
        !engine.inner.entries().contains_key(&first),
        "the block moved to the key of its new first record"
    );
}

#[test]
fn damaged_block_is_reported_and_not_written() {
    let engine = BlockEngine::new(MapEngine::default());
    rows(&engine, 0, 100);
    let first = key(Table::Row as u8, 0, 0);
    let row = key(Table::Row as u8, 0, 5);
    engine
        .inner
        .tamper(|map| map.get_mut(&first).unwrap()[100] ^= 1);
    let view = engine.snapshot().unwrap();
    assert!(get(&view, &row).is_some_and(|value| checksum::verify(&row, &value).is_none()));
    let entries = scan(&view, &first, &[u8::MAX], Order::Ascending, 3);
    assert!(checksum::verify(&entries[0].0, &entries[0].1).is_none());
    assert!(
        checksum::verify(&entries[1].0, &entries[1].1).is_some(),
        "the next block is read"
    );
    for order in [Order::Ascending, Order::Descending] {
        let scan_result = view.range(&row, &[u8::MAX], order, &mut |_, _| {
            ControlFlow::Continue(())
        });
        assert!(
            matches!(scan_result, Err(EngineError::Corrupt(_))),
            "a scan that begins in the block: {scan_result:?}"
        );
    }
    let mut batch = Batch::default();
    batch.remove(row);
    assert!(matches!(engine.apply(&batch), Err(EngineError::Corrupt(_))));
}

#[test]
fn record_with_wrong_checksum_is_not_written() {
    let engine = BlockEngine::new(MapEngine::default());
    let key = key(Table::Row as u8, 0, 1);
    let mut bad_value = value(&key, 64);
    bad_value[10] ^= 1;
    let mut batch = Batch::default();
    batch.put(key, bad_value);
    assert!(matches!(engine.apply(&batch), Err(EngineError::Corrupt(_))));
    assert!(engine.inner.entries().is_empty());
}

#[test]
fn records_in_random_order_fill_most_of_a_block() {
    let engine = BlockEngine::new(MapEngine::default());
    let segment = [&[Table::IdempotencyRecord as u8][..], &[7; 8]].concat();
    for group in 0..60_u64 {
        let mut batch = Batch::default();
        for number in 0..100_u64 {
            let digest = blake3::hash(&[group.to_be_bytes(), number.to_be_bytes()].concat());
            let key = [&segment[..], &[0; 4], &digest.as_bytes()[..16]].concat();
            let value = value(&key, 64);
            batch.put(key, value);
        }
        engine.apply(&batch).unwrap();
    }
    let entries = engine.inner.entries();
    let bytes: usize = entries.values().map(Vec::len).sum();
    assert!(
        bytes / entries.len() > MAX_BLOCK_BYTES * 6 / 10,
        "{bytes} bytes in {} blocks",
        entries.len()
    );
}
