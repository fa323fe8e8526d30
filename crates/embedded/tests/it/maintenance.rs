//! Tests maintenance. Scrubbing finds the same damage as `verify` and stops the store; evidence respects the disk
//! reserve.

use pollster::block_on;
use std::time::Duration;
use voight_domain::check::{Challenge, EvidenceBatch};
use voight_domain::metering::{LookupOutcome, LookupRequest, MeterRules};
use voight_domain::ports::{
    AdminStore, AppendOutcome, CheckStore, EvidenceStore, Health, LookupStore, MaintenanceStore,
    ScrubProgress, StoreError,
};
use voight_domain::secrets::{DigestKey, KeyDigest};
use voight_domain::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};
use voight_embedded::ScrubStateFile;
use voight_support::NOW;
use voight_support::embedded::SampleStore;

/// Time that is never reached.
const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);

fn scrub(store: &impl MaintenanceStore, records: usize) -> ScrubProgress {
    loop {
        let progress = store.scrub(records).unwrap().unwrap();
        if progress.finished.is_some() {
            return progress;
        }
    }
}

#[test]
fn scrub_reports_flipped_bit_and_stops_store() {
    for (number, table) in [
        (0x10, "ledger row"),
        (0x0b, "verdict"),
        (0x21, "evidence batch"),
    ] {
        let sample = SampleStore::filled();
        let store = sample.start();
        assert_eq!(scrub(&store, 10).damage, Vec::<String>::new());
        let engine = if number < 32 {
            &sample.main
        } else {
            &sample.evidence
        };
        engine.tamper(|map| {
            *map.range_mut(vec![number]..)
                .next()
                .unwrap()
                .1
                .last_mut()
                .unwrap() ^= 1;
        });
        let progress = scrub(&store, 10);
        assert!(
            progress.damage[0].contains(&format!("table {table}, key digest ")),
            "{:?}",
            progress.damage
        );
        assert!(progress.finished.unwrap().damaged > 0);
        let Health::Failed(why) = store.health() else {
            panic!("it goes on")
        };
        assert!(
            why.contains(table) && why.contains("the checksum is wrong"),
            "{why}"
        );
        let change = if number < 32 {
            block_on(store.sweep(NOW, 1))
        } else {
            block_on(store.evict(NOW, Duration::ZERO, 1))
        };
        assert!(matches!(change, Err(StoreError::Fatal(_))), "{change:?}");
    }
}

#[test]
fn missing_row_is_damage() {
    let sample = SampleStore::filled();
    let store = sample.start();
    let row = sample
        .main
        .entries()
        .range(vec![0x10]..)
        .nth(2)
        .unwrap()
        .0
        .clone();
    sample.main.tamper(|map| drop(map.remove(&row)));
    let progress = scrub(&store, 1000);
    assert!(
        progress
            .damage
            .iter()
            .any(|damage| damage.contains("before it are missing")),
        "{:?}",
        progress.damage
    );
    assert!(matches!(store.health(), Health::Failed(_)));
}

#[test]
fn last_scrub_survives_a_restart() {
    let sample = SampleStore::filled();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    std::fs::write(&path, []).unwrap();
    let open = || sample.start().on_disk(&path, 0);
    assert_eq!(open().status().unwrap().last_scrub, None);
    let scrub_pass = scrub(&open(), 100).finished;
    assert_eq!(open().status().unwrap().last_scrub, scrub_pass);
    assert_eq!(
        ScrubStateFile::for_store(&path).read(&sample.identity),
        scrub_pass
    );
    std::fs::remove_dir_all(folder.path()).unwrap();
    let progress = scrub(&sample.start().on_disk(&path, 0), 100);
    assert!(progress.persist_error.unwrap().contains("store.scrub"));
}

/// Returns another lookup of the first client.
fn lookup() -> LookupRequest {
    LookupRequest {
        key: KeyDigest([11; 32]),
        context: ContextId::new(&"quest".parse().unwrap(), NOW, [10; 10]),
        address: EoaAddress::from_bytes([1; 20]),
        address_key: DigestKey::from_bytes([1; 32]),
        nonce: [1; 16],
        idempotency: None,
        rules: MeterRules::default(),
        is_detailed: false,
    }
}

#[test]
fn reserve_rejects_evidence_but_not_lookups() {
    let sample = SampleStore::filled();
    let folder = tempfile::tempdir().unwrap();
    let on_disk = |reserve| sample.start().on_disk(folder.path(), reserve);
    let free = on_disk(0).status().unwrap().disk.unwrap().free;
    let store = on_disk(free.saturating_add(1 << 40));
    let batch = block_on(store.batches(CheckId::new(
        NOW.saturating_sub(Duration::from_hours(10)),
        [10; 10],
    )))
    .unwrap()
    .pop()
    .unwrap();
    let challenge = Challenge {
        check: CheckId::new(NOW, [11; 10]),
        ..batch.challenge
    };
    let batch = EvidenceBatch {
        challenge,
        number: 1,
        ..batch
    };
    let append_result = block_on(store.append(batch.clone(), FOREVER));
    assert!(
        matches!(&append_result, Err(StoreError::Full(why)) if why.contains("kept for the ledger")),
        "{append_result:?}"
    );
    assert!(matches!(
        block_on(store.answer(lookup())).unwrap(),
        LookupOutcome::Recorded(..)
    ));
    assert_eq!(store.health(), Health::Ready);
    assert_eq!(
        block_on(store.evict(
            NOW.saturating_add(Duration::from_secs(1)),
            Duration::ZERO,
            1
        )),
        Ok(1),
        "what is old can still go"
    );
    assert_eq!(
        block_on(on_disk(free / 2).append(batch, FOREVER)),
        Ok(AppendOutcome::Stored)
    );
}
