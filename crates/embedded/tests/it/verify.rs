//! Tests that damage is reported, and that undamaged records are not.

use std::cell::Cell;
use std::ops::ControlFlow;
use twox_hash::XxHash3_64;
use voight_domain::metering::MeterState;
use voight_domain::registry::{Actor, AuditEntry};
use voight_embedded::testing::is_unreferenced;
use voight_embedded::{DatabaseKind, Verifier, VerifyReport};
use voight_encoding::keyspace::Table;
use voight_engine::testing::{MapEngine, Snapshot};
use voight_engine::{Engine, EngineError, EntryVisitor, Order, Read};
use voight_support::embedded::SampleStore;

fn walk(engine: &MapEngine, part: DatabaseKind, records: usize) -> VerifyReport {
    let mut walk = Verifier::new(part);
    while walk.slice(&engine.snapshot().unwrap(), records).unwrap() {}
    walk.into_report()
}

fn verify(store: &SampleStore) -> VerifyReport {
    let mut report = walk(&store.main, DatabaseKind::Main, 100);
    report.absorb(walk(&store.evidence, DatabaseKind::Evidence, 100));
    report
}

#[test]
fn intact_store_is_valid_at_any_slice_size() {
    assert_eq!(verify(&SampleStore::empty()).damage, []);
    let store = SampleStore::filled();
    for records in [1, 2, 3, 7, 1000] {
        let report = walk(&store.main, DatabaseKind::Main, records);
        assert_eq!(report.damage, []);
        assert_eq!(report.rows(), store.main.entries().len() as u64);
    }
    let names: Vec<_> = verify(&store)
        .tables
        .iter()
        .map(|table| table.table)
        .collect();
    assert_eq!(
        names.len(),
        Table::ALL.len() + 1,
        "something is in every table: {names:?}"
    );
}

#[test]
fn concurrent_changes_are_no_damage() {
    let store = SampleStore::empty();
    let mut walk = Verifier::new(DatabaseKind::Main);
    let mut go_on = |slices: usize| {
        (0..slices).all(|_| walk.slice(&store.main.snapshot().unwrap(), 1).unwrap())
    };
    assert!(go_on(1));
    store
        .main
        .tamper(|map| map.clone_from(&SampleStore::filled().main.entries()));
    while go_on(1) {}
    assert_eq!(walk.report().damage, []);
}

#[test]
fn every_flipped_bit_is_reported() {
    let store = SampleStore::filled();
    for (part, engine) in [
        (DatabaseKind::Main, &store.main),
        (DatabaseKind::Evidence, &store.evidence),
    ] {
        for (number, (key, value)) in engine.entries().iter().enumerate() {
            let bit = (number * 37) % (value.len() * 8);
            let flip = |engine: &MapEngine| {
                engine.tamper(|map| {
                    map.get_mut(key)
                        .into_iter()
                        .for_each(|value| value[bit / 8] ^= 1 << (bit % 8));
                });
            };
            flip(engine);
            let report = walk(engine, part, 100);
            let is_reported = report
                .damage
                .iter()
                .any(|damage| damage.what == "the checksum is wrong");
            assert!(is_reported, "bit {bit} of {key:?}: {:?}", report.damage);
            flip(engine);
        }
    }
    assert_eq!(verify(&store).damage, []);
}

#[test]
fn missing_records_are_reported() {
    let store = SampleStore::filled();
    let intact_report = verify(&store);
    let mut reported = 0;
    for engine in [&store.main, &store.evidence] {
        // A store without its identity does not open at all.
        for (key, value) in engine.entries().iter().filter(|(key, _)| **key != [1]) {
            engine.tamper(|map| drop(map.remove(key)));
            let report = verify(&store);
            let table = intact_report.tables.iter().find(|table| {
                let now = report
                    .tables
                    .iter()
                    .find(|other_key| other_key.table == table.table);
                now.is_none_or(|now| now.rows < table.rows)
            });
            let table = table.map_or("", |table| table.table);
            reported += u32::from(report.damaged > 0);
            let is_silent = Table::of_key(key).is_some_and(is_unreferenced);
            let last_event = table == "event"
                && !engine.entries().range(key.clone()..).any(|(other_key, _)| {
                    other_key.len() == key.len() && other_key[..29] == key[..29]
                });
            assert!(
                (report.damaged > 0) != (is_silent || last_event),
                "a {table} is missing, and verify does not report it"
            );
            engine.tamper(|map| drop(map.insert(key.clone(), value.clone())));
        }
    }
    assert!(reported > 80, "only {reported} records were missed");
}

#[test]
fn record_of_no_table_is_reported() {
    let store = SampleStore::filled();
    store
        .main
        .tamper(|map| drop(map.insert(vec![200, 1], vec![0; 9])));
    let evidence = store
        .evidence
        .entries()
        .iter()
        .next_back()
        .map(|(key, value)| (key.clone(), value.clone()));
    store.main.tamper(|map| map.extend(evidence));
    assert_eq!(verify(&store).damaged, 2);
}

#[test]
fn truncated_ledger_is_reported_once() {
    let store = SampleStore::filled();
    let rows: Vec<_> = store
        .main
        .entries()
        .keys()
        .filter(|key| key[0] == 16)
        .cloned()
        .collect();
    // The last row of the first ledger is after those that raised alerts.
    store.main.tamper(|map| drop(map.remove(&rows[5])));
    let damage = verify(&store).damage;
    let descriptions: Vec<_> = damage
        .iter()
        .map(|damage| (damage.table, damage.what.as_str()))
        .collect();
    assert_eq!(
        descriptions,
        [
            ("ledger row", "one or more rows before it are missing"),
            ("opening", "its ledger row is missing")
        ]
    );
}

/// Returns the value of a record as stores write it, with a valid checksum.
fn sealed(key: &[u8], record: &[u8]) -> Vec<u8> {
    let checksum = XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot(key), record);
    [record, &checksum.to_be_bytes()].concat()
}

/// Only the hash chain detects this: the meter has a valid checksum and the correct number of rows.
#[test]
fn chain_must_end_in_the_meter_head() {
    const METER: u8 = 15;
    let store = SampleStore::filled();
    let meters: Vec<_> = store
        .main
        .entries()
        .range(vec![METER]..vec![METER + 1])
        .map(|(key, _)| key.clone())
        .collect();
    assert_eq!(meters.len(), 2);
    for key in meters {
        let value = store.main.entries()[&key].clone();
        let record = &value[..value.len() - 8];
        assert_eq!(
            sealed(&key, record),
            value,
            "this is not how records are sealed"
        );
        let meter = MeterState::from_bytes(record).unwrap();
        let forged_meter = MeterState {
            head: meter.head.extend(b"a row that is not there"),
            ..meter
        };
        store
            .main
            .tamper(|map| drop(map.insert(key.clone(), sealed(&key, &forged_meter.to_bytes()))));
        let damage = verify(&store).damage;
        let descriptions: Vec<_> = damage
            .iter()
            .map(|damage| (damage.table, damage.what.as_str()))
            .collect();
        assert_eq!(
            descriptions,
            [(
                "meter",
                "the ledger's chain does not end in the meter's head"
            )]
        );
        store.main.tamper(|map| drop(map.insert(key, value)));
    }
}

/// Only the hash chain detects this: the entry has a valid checksum and is under its own key.
#[test]
fn changed_audit_entry_is_reported() {
    const AUDIT: u8 = 20;
    let store = SampleStore::filled();
    let (key, value) = store
        .main
        .entries()
        .range(vec![AUDIT]..)
        .nth(4)
        .map(|(k, v)| (k.clone(), v.clone()))
        .unwrap();
    let entry = AuditEntry::from_bytes(&value[..value.len() - 8]).unwrap();
    let forged_entry = AuditEntry {
        actor: Actor::Service,
        ..entry.clone()
    };
    assert_ne!(forged_entry, entry);
    store
        .main
        .tamper(|map| drop(map.insert(key.clone(), sealed(&key, &forged_entry.to_bytes()))));
    let damage = verify(&store).damage;
    let descriptions: Vec<_> = damage
        .iter()
        .map(|damage| (damage.table, damage.what.as_str()))
        .collect();
    let what = "the audit log's chain does not end in the head that it says";
    assert_eq!(descriptions, [("end of the audit log", what)]);
    store.main.tamper(|map| drop(map.insert(key, value)));
    assert_eq!(verify(&store).damage, []);
}

/// The head of an earlier meter is part of the chain, so only its number reveals that rows follow.
#[test]
fn ledger_beyond_its_meter_is_reported() {
    const METER: u8 = 15;
    let store = SampleStore::filled();
    let meters: Vec<_> = store
        .main
        .entries()
        .range(vec![METER]..vec![METER + 1])
        .map(|(key, _)| key.clone())
        .collect();
    for key in meters {
        let value = store.main.entries()[&key].clone();
        let meter = MeterState::from_bytes(&value[..value.len() - 8]).unwrap();
        let forged_meter = MeterState {
            seq: meter.seq - 1,
            ..meter
        };
        store
            .main
            .tamper(|map| drop(map.insert(key.clone(), sealed(&key, &forged_meter.to_bytes()))));
        let damage = verify(&store).damage;
        let descriptions: Vec<_> = damage
            .iter()
            .map(|damage| (damage.table, damage.what.as_str()))
            .collect();
        assert!(
            descriptions.contains(&(
                "meter",
                "the ledger ends before or after where its meter says"
            )),
            "{descriptions:?}"
        );
        store.main.tamper(|map| drop(map.insert(key, value)));
    }
}

/// View whose read fails at one call.
struct FlakyView {
    view: Snapshot,
    calls: Cell<usize>,
    fails_at: usize,
}

impl FlakyView {
    fn call(&self) -> Result<(), EngineError> {
        let call = self.calls.replace(self.calls.get() + 1);
        if call == self.fails_at {
            Err(EngineError::Stale)
        } else {
            Ok(())
        }
    }
}

impl Read for FlakyView {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        self.call()?;
        self.view.get(key, visit)
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        self.call()?;
        self.view.range(from, to, order, visit)
    }
}

/// Simulates an engine that is reopened during a verification, so that the view fails within a batch.
#[test]
fn verification_continues_on_a_new_snapshot() {
    let store = SampleStore::filled();
    for (part, engine) in [
        (DatabaseKind::Main, &store.main),
        (DatabaseKind::Evidence, &store.evidence),
    ] {
        let mut taken_away = 0;
        loop {
            let view = FlakyView {
                view: engine.snapshot().unwrap(),
                calls: Cell::new(0),
                fails_at: taken_away,
            };
            let mut walk = Verifier::new(part);
            if walk.slice(&view, 10_000).is_ok() {
                break;
            }
            while walk.slice(&engine.snapshot().unwrap(), 10_000).unwrap() {}
            assert_eq!(walk.report().damage, [], "call {taken_away}");
            assert_eq!(
                walk.report().rows(),
                engine.entries().len() as u64,
                "call {taken_away}"
            );
            taken_away += 1;
        }
        assert!(taken_away > 20, "only {taken_away} calls");
    }
}

/// Page with one corrupt key: a search returns the first entry that does not sort before the key.
struct DamagedPage(Vec<(Vec<u8>, Vec<u8>)>);

impl Read for DamagedPage {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        self.0
            .iter()
            .filter(|entry| entry.0 == key)
            .for_each(|entry| visit(&entry.1));
        Ok(())
    }

    fn range(
        &self,
        from: &[u8],
        _: &[u8],
        _: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        let begin = self
            .0
            .iter()
            .position(|entry| entry.0.as_slice() >= from)
            .unwrap_or(self.0.len());
        for (key, value) in &self.0[begin..] {
            if let ControlFlow::Break(()) = visit(key, value) {
                break;
            }
        }
        Ok(())
    }
}

#[test]
fn unordered_key_does_not_end_verification() {
    let entries: Vec<_> = SampleStore::filled()
        .main
        .entries()
        .iter()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for damaged in (0..entries.len()).step_by(9) {
        for bit in [1, 128] {
            let mut page = DamagedPage(entries.clone());
            page.0[damaged].0[0] ^= bit;
            for records in [1, 3, 1000] {
                let mut walk = Verifier::new(DatabaseKind::Main);
                let slices = (0..10 * entries.len())
                    .take_while(|_| walk.slice(&page, records).unwrap())
                    .count();
                assert!(
                    slices < 10 * entries.len(),
                    "the walk does not end, with bit {bit} of key {damaged} flipped"
                );
                assert!(walk.report().damaged > 0);
            }
        }
    }
}
