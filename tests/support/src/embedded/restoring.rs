//! Tests restores on any engine: of changed dumps whose checksums are right, only those of valid stores are restored.

use super::{EngineUnderTest, SampleStore};
use crate::tier;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fs;
use voight_embedded::{DumpReader, DumpWriter, RestoreError, restore, verify};

/// Records of a dump by their keys.
type Records = BTreeMap<Vec<u8>, Vec<u8>>;

/// Tests that a restored store passes the verification of stores, and that a rejected dump leaves no file.
pub fn restored_store_of_a_changed_dump_is_valid<T: EngineUnderTest>() {
    let sample = SampleStore::filled();
    let dump = sample.dump();
    let mut reader = DumpReader::open(dump.as_slice()).unwrap();
    let mut records = Records::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        records.insert(entry.key, entry.record);
    }
    let mut inconsistent = 0;
    for seed in 0..tier::volume(16, 1_000) {
        let changed_records = changed_records(&records, &mut Rng::with_seed(seed));
        let mut bytes = Vec::new();
        let mut writer = DumpWriter::start(&sample.identity, &mut bytes).unwrap();
        for (key, record) in &changed_records {
            writer.add(key, record).unwrap();
        }
        writer.finish().unwrap();

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        let result = DumpReader::open(bytes.as_slice())
            .map_err(RestoreError::from)
            .and_then(|mut dump| restore::<T::Store>(&mut dump, &path, &mut |_| {}));
        match result {
            Ok(_) => assert_eq!(
                verify::<T::Store>(&path, &mut |_| {}).unwrap().1.damage,
                [],
                "seed {seed}"
            ),
            Err(error) => {
                inconsistent += u32::from(matches!(error, RestoreError::Inconsistent { .. }));
                assert_eq!(
                    fs::read_dir(directory.path()).unwrap().count(),
                    0,
                    "seed {seed} left files: {error}"
                );
            }
        }
    }
    assert!(
        inconsistent > 2,
        "{inconsistent} of the dumps have records that contradict each other"
    );
}

/// Returns the records after one random change.
fn changed_records(records: &Records, random: &mut Rng) -> Records {
    let mut damaged_records = records.clone();
    let keys: Vec<_> = records.keys().cloned().collect();
    let key = &keys[random.usize(..keys.len())];
    let of_same_table: Vec<_> = keys
        .iter()
        .filter(|candidate| candidate[0] == key[0])
        .collect();
    let other_key = of_same_table[random.usize(..of_same_table.len())];
    match random.u8(..5) {
        0 => drop(damaged_records.remove(key)),
        1 => {
            damaged_records.insert(other_key.clone(), records[key].clone());
            damaged_records.insert(key.clone(), records[other_key].clone());
        }
        2 => drop(damaged_records.insert(other_key.clone(), records[key].clone())),
        3 => {
            let record = damaged_records.get_mut(key).unwrap();
            if let Some(byte) = random.choice(0..record.len()) {
                record[byte] ^= 1 << random.u8(..8);
            }
        }
        _ => {
            let mut moved_key = key.clone();
            let byte = random
                .usize(1..moved_key.len().max(2))
                .min(moved_key.len() - 1);
            moved_key[byte] ^= 1 << random.u8(..8);
            let record = damaged_records.remove(key).unwrap();
            damaged_records.insert(moved_key, record);
        }
    }
    damaged_records
}
