use super::*;
use crate::Order;
use crate::read_records::ReadRecords;
use crate::record::{ClaimByDigest, Record};
use crate::table::{ClientNumber, KeyRange, Segment};
use voight_domain::metering::IdempotencyRecord;
use voight_domain::secrets::IdempotencyDigest;

/// Returns the records of a table with the ends of their keys: a client number and a digest.
fn all<R: Record>(store: &Store) -> Vec<([u8; 20], R)> {
    let end = |key: &[u8], record| (table::tail(key).unwrap(), record);
    let mut all = store.main.snapshot().unwrap().collect(&KeyRange::all(), Order::Ascending, 1000, end).unwrap();
    all.sort_by_key(|(key, _)| *key);
    all
}

fn write(store: &Store, change: impl FnOnce(&mut WriteTransaction<'_>)) {
    let (snapshot, group) = (store.main.snapshot().unwrap(), crate::Batch::default());
    let mut step = WriteTransaction::new(&snapshot, &group);
    change(&mut step);
    store.main.apply(&step.into_batch()).unwrap();
}

#[test]
fn every_claim_is_in_the_run_of_its_hour_and_all_ends_are_gone() {
    let (old, new) = (Store::of_format_1(), Store::migrated());
    let before: Vec<_> = all::<ClaimByDigest>(&old).into_iter().map(|(key, claim)| (key, claim.0)).collect();
    assert_eq!(before.len(), 16);
    assert_eq!(all::<IdempotencyRecord>(&new), before);
    for key in new.entries()[0].keys().filter(|key| Table::of_key(key) == Some(Table::IdempotencyRecord)) {
        let (run, ..) = table::decode_claim_key(key).unwrap();
        assert_eq!(run, Segment(NOW.saturating_add(Duration::from_hours(24))), "an hour begins when it was filled");
    }
    let gone = [Table::ClaimByDigest, Table::ClaimEnd];
    assert!(!new.entries()[0].keys().any(|key| gone.iter().any(|table| Table::of_key(key) == Some(*table))));
}

#[test]
fn a_claim_that_was_made_anew_and_one_that_was_erased_lead_to_nothing_old() {
    let store = Store::of_format_1();
    let (tenant, early) = (ClientNumber(1), NOW.saturating_sub(Duration::from_hours(9)));
    let claims = all::<ClaimByDigest>(&store);
    let renewed = IdempotencyDigest(claims[0].0[4..].try_into().unwrap());
    write(&store, |step| {
        for digest in [renewed, IdempotencyDigest([9; 16])] {
            step.put(table::claim_end(early, tenant, digest), &crate::record::ClaimEnd);
        }
    });
    assert_eq!(store.damage(), 0);
    store.run().unwrap();
    assert_eq!(store.damage(), 0);
    assert_eq!(store.entries(), Store::migrated().entries());
}

#[test]
fn an_end_whose_key_makes_no_sense_is_damage() {
    let store = Store::of_format_1();
    store.main.modify_entries(|map| {
        let key = [&[Table::ClaimEnd as u8][..], &[0; 9]].concat();
        let value = checksum::with_checksum(&key, vec![1]);
        map.insert(key, value);
    });
    let error = store.run().unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { what, .. } if what.contains("wrong length")), "{error}");
}
