use crate::read_records::ReadRecords;
use crate::record::{DueEndpoint, Record};
use crate::table::{self, ClientNumber, KeyRange, RecordKey};
use crate::verify::{DatabaseKind, Verifier};
use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::{DeliveryRecord, EndpointRecord};
use voight_engine::testing::MapEngine;
use voight_engine::{Engine, checksum};
use voight_support::embedded::SampleStore;

const FIRST_CLIENT: ClientNumber = ClientNumber(1);
const ENDPOINT: &str = "webhook endpoint";
const INDEX: &str = "webhook endpoint by the time of its next delivery";
const DELIVERY: &str = "delivery of an event";

/// Returns the tables of damaged records, each with the description of the damage.
fn damage(engine: &MapEngine) -> Vec<(&'static str, String)> {
    let mut verifier = Verifier::new(DatabaseKind::Main);
    while verifier.slice(&engine.snapshot().unwrap(), 100).unwrap() {}
    let report = verifier.into_report();
    let descriptions = report.damage.into_iter();
    descriptions
        .map(|damage| (damage.table, damage.what))
        .collect()
}

fn put<R: Record>(engine: &MapEngine, key: RecordKey<R>, record: &R) {
    let value = checksum::with_checksum(&key.key, record.encode());
    engine.tamper(|map| drop(map.insert(key.key, value)));
}

fn remove<R>(engine: &MapEngine, key: &RecordKey<R>) {
    engine.tamper(|map| drop(map.remove(&key.key)));
}

fn first_record<R: Record>(engine: &MapEngine, range: &KeyRange<R>) -> R {
    let view = engine.snapshot().unwrap();
    view.list(range, 1).unwrap().remove(0)
}

/// Returns a store, and the endpoint of its first client.
fn filled_store() -> (MapEngine, EndpointRecord) {
    let engine = SampleStore::filled().main;
    let record = first_record(&engine, &table::endpoints(FIRST_CLIENT));
    assert_eq!(damage(&engine), []);
    (engine, record)
}

fn put_endpoint(engine: &MapEngine, record: &EndpointRecord) {
    put(
        engine,
        table::endpoint(FIRST_CLIENT, record.endpoint.id),
        record,
    );
}

#[test]
fn index_entry_of_another_state_is_reported() {
    let (engine, record) = filled_store();
    let due_at = record.due_at.unwrap();
    let later_record = EndpointRecord {
        due_at: Some(Timestamp::from_millis(due_at.as_millis() + 1)),
        ..record.clone()
    };
    let mut healthy_record = record.clone();
    healthy_record.delivery.failure_run = None;
    for changed_record in [later_record, healthy_record] {
        put_endpoint(&engine, &changed_record);
        let expected_damage = [
            (ENDPOINT, format!("its {INDEX} is missing")),
            (
                INDEX,
                "its endpoint is due at another time, or in another lane".to_owned(),
            ),
        ];
        assert_eq!(damage(&engine), expected_damage);
    }
    let idle_record = EndpointRecord {
        due_at: None,
        ..record.clone()
    };
    put_endpoint(&engine, &idle_record);
    assert_eq!(
        damage(&engine),
        [(INDEX, "its endpoint is not due".to_owned())]
    );
    put_endpoint(&engine, &record);
    assert_eq!(damage(&engine), []);
}

#[test]
fn index_entry_without_endpoint_is_reported() {
    let (engine, record) = filled_store();
    remove(&engine, &table::endpoint(FIRST_CLIENT, record.endpoint.id));
    let missing_endpoint = format!("its {ENDPOINT} is missing");
    let expected_damage = [
        (INDEX, missing_endpoint.clone()),
        (DELIVERY, missing_endpoint.clone()),
        (DELIVERY, missing_endpoint),
    ];
    assert_eq!(damage(&engine), expected_damage);
}

#[test]
fn delivery_outside_the_log_is_reported() {
    let (engine, record) = filled_store();
    let unassigned_key = table::delivery(FIRST_CLIENT, record.endpoint.id, record.log.last + 1);
    let delivery = first_record(&engine, &KeyRange::<DeliveryRecord>::all());
    put(&engine, unassigned_key, &delivery);
    let expected_damage = [
        (
            ENDPOINT,
            "there are more or fewer deliveries than it says".to_owned(),
        ),
        (
            DELIVERY,
            "its number was never given out, or it is deleted".to_owned(),
        ),
    ];
    assert_eq!(damage(&engine), expected_damage);
}

#[test]
fn cursor_after_the_feed_is_reported() {
    let (engine, mut record) = filled_store();
    record.delivery.cursor = 1_000;
    put_endpoint(&engine, &record);
    let expected_damage = [(
        ENDPOINT,
        "its cursor is after the end of its client's feed".to_owned(),
    )];
    assert_eq!(damage(&engine), expected_damage);
}

#[test]
fn index_entry_with_a_short_key_is_reported() {
    let (engine, record) = filled_store();
    let index_key = table::due_endpoint(FIRST_CLIENT, &record).unwrap();
    let short_key = RecordKey::<DueEndpoint>::from_scan(&index_key.key[..9]);
    put(&engine, short_key, &DueEndpoint);
    assert_eq!(
        damage(&engine),
        [(INDEX, "its key is too short".to_owned())]
    );
}
