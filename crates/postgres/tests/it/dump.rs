//! Dumps: records of an embedded store are imported into tables and exported again byte for byte.

use crate::common::{open, schema_name, server};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, audit};
use voight_domain::ports::{AdminStore, RegistryStore};
use voight_domain::registry::AuditAction;
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{DumpReader, Identity};
use voight_encoding::Encode;
use voight_encoding::keyspace::{
    ClientNumber, ClientRecord, KeyField, Table, build_key, parse_key,
};
use voight_postgres::{
    ConcurrentWrites, OpenError, PostgresUrl, StagedRestore, StoreIdentity, StoreSnapshot,
};
use voight_support::ManualClock;
use voight_support::embedded::SampleStore;

/// Keys and records of a dump, without checksums.
type Records = BTreeMap<Vec<u8>, Vec<u8>>;

/// Creates a dump with records in every table.
///
/// The segment of one idempotency record began before its hour.
fn records() -> (StoreIdentity, Records) {
    let dump = SampleStore::filled().dump();
    let mut reader = DumpReader::open(dump.as_slice()).unwrap();
    let identity = store_identity(reader.identity());
    let mut records = Records::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        records.insert(entry.key.clone(), entry.record.clone());
    }
    let idempotency_records = records
        .iter()
        .filter(|(key, _)| Table::of_key(key) == Some(Table::IdempotencyRecord));
    let (key, record) = idempotency_records
        .map(|(key, record)| (key.clone(), record.clone()))
        .next()
        .unwrap();
    records.remove(&key);
    let (_, mut pieces) = parse_key(&key).unwrap();
    let Some(KeyField::Time(segment_start)) = pieces.first_mut() else {
        panic!("a run leads the key")
    };
    *segment_start = segment_start.saturating_sub(Duration::from_mins(20));
    records.insert(
        build_key(Table::IdempotencyRecord, &pieces).unwrap(),
        record,
    );
    (identity, records)
}

fn store_identity(identity: &Identity) -> StoreIdentity {
    // Pepper that the stores of this test are opened with.
    StoreIdentity {
        id: identity.ulid(),
        created_at: identity.created_at(),
        pepper: PepperCommitment([7; 16]),
    }
}

fn schema() -> PostgresUrl {
    server()
        .schema(&schema_name())
        .expect("a schema")
        .parse()
        .expect("a URL")
}

fn staged_restore(url: &PostgresUrl, identity: &StoreIdentity) -> Result<StagedRestore, OpenError> {
    StagedRestore::begin(url, identity, Arc::new(ManualClock::new(START)))
}

fn filled_in(url: &PostgresUrl, identity: &StoreIdentity, records: &Records) -> StagedRestore {
    let mut restore = staged_restore(url, identity).expect("an empty schema");
    for (key, record) in records {
        restore.add(key, record).expect("a record");
    }
    restore
}

fn seen(records: &mut Records) -> impl FnMut(&[u8], Vec<u8>) -> ControlFlow<()> {
    |key, record| {
        assert!(
            records
                .last_key_value()
                .is_none_or(|(last, _)| last.as_slice() < key),
            "{key:?} is out of order"
        );
        records.insert(key.to_vec(), record);
        ControlFlow::Continue(())
    }
}

fn snapshot(url: &PostgresUrl) -> Result<(StoreIdentity, Records), OpenError> {
    let snapshot = StoreSnapshot::open(
        url,
        Arc::new(ManualClock::new(START)),
        ConcurrentWrites::Allowed,
    )?;
    let identity = *snapshot.identity();
    let mut records = Records::new();
    snapshot.for_each(&mut seen(&mut records))?;
    Ok((identity, records))
}

#[test]
fn restored_records_are_dumped_again() {
    let _server = server();
    let url = schema();
    let (identity, records) = records();
    let mut restore = filled_in(&url, &identity, &records);
    let mut read_back = Records::new();
    restore
        .read_back(&mut seen(&mut read_back))
        .expect("what was added");
    assert_eq!(read_back, records);
    let error = snapshot(&url).expect_err("the staged store is visible before it is published");
    assert!(matches!(error, OpenError::Missing { .. }), "{error}");
    restore.commit().expect("a commit");
    assert_eq!(snapshot(&url), Ok((identity, records)));
}

#[test]
fn restored_store_continues_its_sequences() {
    let _server = server();
    let url = schema();
    let (identity, records) = records();
    let mut restore = filled_in(&url, &identity, &records);
    restore
        .read_back(&mut |_, _| ControlFlow::Continue(()))
        .expect("what was added");
    restore.commit().expect("a commit");
    let store = open(&url.to_string()).expect("the pepper of the store");
    assert_eq!(
        store.info().identity,
        identity.id.to_string().to_lowercase()
    );
    let head = block_on(store.audit_head()).expect("a log");
    let count = records
        .keys()
        .filter(|key| Table::of_key(key) == Some(Table::Audit))
        .count();
    assert_eq!(head.seq, count as u64);
    let client = ValueGenerator::starting_at(900).client(START);
    let entry = audit(AuditAction::ClientCreated, &client.id, START);
    block_on(store.create_client(client.clone(), entry)).expect("another client");
    drop(store);
    let (_, restored_records) = snapshot(&url).expect("the store");
    assert_eq!(
        restored_records.len(),
        records.len() + 3,
        "a client, its name, and an entry in the log are new"
    );
    let key = build_key(Table::Client, &[KeyField::Bytes(&client.id.to_bytes())]).unwrap();
    let third = ClientRecord {
        client_number: ClientNumber(3),
        client,
    };
    assert_eq!(
        restored_records.get(&key),
        Some(&third.encode()),
        "numbers go on behind those of the dump"
    );
}

#[test]
fn existing_store_is_not_replaced() {
    let _server = server();
    let url = schema();
    let (identity, records) = records();
    // Dropped, as when its process ends: only empty tables must remain.
    drop(filled_in(&url, &identity, &records));
    assert!(matches!(snapshot(&url), Err(OpenError::Missing { .. })));
    let mut restore = filled_in(&url, &identity, &records);
    restore
        .read_back(&mut |_, _| ControlFlow::Continue(()))
        .expect("what was added");
    restore.commit().expect("a commit");
    let error = staged_restore(&url, &identity)
        .err()
        .expect("a store is there");
    assert!(matches!(error, OpenError::Occupied { .. }), "{error}");
    assert_eq!(snapshot(&url), Ok((identity, records)));
}

#[test]
fn concurrent_restore_is_rejected() {
    let _server = server();
    let url = schema();
    let (identity, records) = records();
    let mut first = filled_in(&url, &identity, &records);
    let error = staged_restore(&url, &identity)
        .err()
        .expect("the first has the place");
    assert!(
        matches!(&error, OpenError::Unusable { why, .. } if why.contains("another copy")),
        "{error}"
    );
    first
        .read_back(&mut |_, _| ControlFlow::Continue(()))
        .expect("what was added");
    first.commit().expect("a commit");
    assert_eq!(snapshot(&url), Ok((identity, records)));
}

#[test]
fn orphaned_records_are_damage() {
    let _server = server();
    let url = schema();
    let (identity, records) = records();
    let orphans = records
        .iter()
        .filter(|(key, _)| Table::of_key(key) == Some(Table::Verdict));
    for (key, record) in orphans.take(1) {
        let error = staged_restore(&url, &identity)
            .expect("an empty schema")
            .add(key, record)
            .expect_err("no context");
        assert!(
            matches!(&error, OpenError::Damaged { what, .. } if what.contains("context")),
            "{error}"
        );
    }
    assert!(
        staged_restore(&url, &identity)
            .expect("an empty schema")
            .add(&[99, 1], &[1])
            .is_err(),
        "a table of nothing"
    );
}
