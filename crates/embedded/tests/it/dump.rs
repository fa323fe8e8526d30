//! Tests dumps: valid ones are read back, all others are rejected.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use voight_embedded::{DatabaseKind, DumpError, DumpReader, DumpSummary, write_dump};
use voight_encoding::keyspace::{Table, build_key, parse_key};
use voight_engine::Engine;
use voight_engine::testing::Map;
use voight_support::embedded::SampleStore;

static DUMP: LazyLock<(Vec<u8>, DumpSummary)> =
    LazyLock::new(|| dump(&SampleStore::filled()).unwrap());

fn dump(store: &SampleStore) -> Result<(Vec<u8>, DumpSummary), DumpError> {
    let mut out = Vec::new();
    let main = store.main.snapshot().unwrap();
    let evidence = store.evidence.snapshot().unwrap();
    write_dump(&store.identity, &main, Some(&evidence), &mut out).map(|summary| (out, summary))
}

fn read(bytes: &[u8]) -> Result<([Map; 2], DumpSummary), DumpError> {
    let mut reader = DumpReader::open(bytes)?;
    let mut maps = [Map::new(), Map::new()];
    while let Some(entry) = reader.next_entry()? {
        let map = &mut maps[usize::from(entry.part == DatabaseKind::Evidence)];
        let (key, value) = entry.into_stored();
        map.insert(key, value);
    }
    Ok((maps, reader.summary().unwrap()))
}

#[test]
fn written_records_are_read_back() {
    let store = SampleStore::filled();
    let (bytes, summary) = dump(&store).unwrap();
    assert_eq!(
        DumpReader::open(bytes.as_slice()).unwrap().identity(),
        &store.identity
    );
    let (maps, read) = read(&bytes).unwrap();
    assert_eq!(read, summary);
    for (mut map, engine) in maps.into_iter().zip([&store.main, &store.evidence]) {
        map.extend(
            engine
                .entries()
                .get_key_value([1].as_slice())
                .map(|(key, value)| (key.clone(), value.clone())),
        );
        assert_eq!(&map, engine.entries().as_ref());
    }
    assert_eq!(dump(&SampleStore::empty()).unwrap().1.rows, 0);
}

/// Stores that are not an ordered map use this to read and write complete stores.
#[test]
fn keys_follow_their_table_layout() {
    let (maps, _) = read(&DUMP.0).unwrap();
    let mut tables = BTreeSet::new();
    for key in maps.iter().flat_map(BTreeMap::keys) {
        let (table, pieces) = parse_key(key).unwrap();
        assert_eq!(build_key(table, &pieces).as_ref(), Ok(key));
        tables.insert(table);
    }
    assert_eq!(
        tables.len(),
        Table::ALL.len() - 1,
        "a table is empty, so its keys were not looked at: {tables:?}"
    );
}

#[test]
fn truncation_is_detected() {
    for length in 0..DUMP.0.len() {
        let error = read(&DUMP.0[..length]).unwrap_err();
        let is_expected = if length < 12 {
            matches!(error, DumpError::NotADump)
        } else {
            matches!(error, DumpError::Truncated)
        };
        assert!(is_expected, "{length} bytes: {error}");
    }
    let longer = [&DUMP.0[..], &[0]].concat();
    assert!(matches!(read(&longer), Err(DumpError::Damaged(what)) if what.contains("follows")));
}

#[test]
fn damaged_record_is_not_dumped() {
    let store = SampleStore::filled();
    store
        .main
        .tamper(|map| map.values_mut().for_each(|value| value[0] ^= 1));
    let error = dump(&store).unwrap_err();
    assert!(
        matches!(&error, DumpError::Store(what) if what.contains("table client")),
        "{error}"
    );
}

#[test]
fn version_1_header_never_changes() {
    let begin = data_encoding::HEXLOWER.encode(&DUMP.0[..16]);
    assert_eq!(
        begin, "766f696768740d0a1a0af00000010028",
        "a layout that has changed needs a new version"
    );
}

#[test]
fn newer_version_is_rejected() {
    let mut newer = DUMP.0.clone();
    newer[13] = 2;
    newer.truncate(14);
    let error = read(&newer).unwrap_err();
    assert!(
        matches!(
            error,
            DumpError::Newer {
                found: 2,
                known: 1,
                ..
            }
        ),
        "{error}"
    );
}

proptest! {
    #[test]
    fn every_flipped_bit_is_detected(bit: prop::sample::Index) {
        let mut bytes = DUMP.0.clone();
        let bit_index = bit.index(bytes.len() * 8);
        bytes[bit_index / 8] ^= 1 << (bit_index % 8);
        let error = read(&bytes).unwrap_err();
        prop_assert_eq!(error.to_string().lines().count(), 1);
    }

    #[test]
    fn foreign_files_are_rejected(bytes: Vec<u8>) {
        prop_assert!(matches!(read(&bytes), Err(DumpError::NotADump)));
    }

    #[test]
    fn reader_never_panics(rest: Vec<u8>) {
        let bytes = [&DUMP.0[..64], &rest].concat();
        prop_assert!(read(&bytes).is_err());
    }
}
