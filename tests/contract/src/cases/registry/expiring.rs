//! Keys that expire soon.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, TestAccount};
use crate::generate::audit;
use voight_domain::events::{EventSubject, EventType};
use voight_domain::registry::{AuditAction, KEY_EXPIRY_NOTICE, Key, KeyChange};
use voight_domain::vocabulary::{Environment, Timestamp};

cases![expiring_key_is_reported_once];

fn expiring_key_is_reported_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let end = fixture.now().saturating_add(KEY_EXPIRY_NOTICE);
    let expiries = [None, Some(end), Some(end.saturating_add(KEY_EXPIRY_NOTICE))];
    let keys = expiries.map(|expires_at| issue(fixture, &account, expires_at));
    let last_number = block_on_ok(fixture.store().event_feed(account.client.id)).last;
    let [permanent_key, expiring_key, later_key] = &keys;
    for key in [permanent_key, later_key] {
        assert_eq!(report(fixture, key), *key, "the key does not expire soon");
    }
    let reported_key = Key {
        expiry_reported_at: Some(fixture.now()),
        ..expiring_key.clone()
    };
    for _ in 0..3 {
        assert_eq!(report(fixture, expiring_key), reported_key);
        let stored_key = block_on_ok(fixture.store().key(expiring_key.id));
        assert_eq!(stored_key.as_ref(), Some(&reported_key));
        fixture.clock.advance(KEY_EXPIRY_NOTICE / 10);
    }
    let events = fixture.store().events(account.client.id, last_number, ALL);
    let rows: Vec<_> = block_on_ok(events)
        .into_iter()
        .map(|event| (event.event.event_type, event.event.subject))
        .collect();
    let subject = EventSubject::Key(expiring_key.id);
    assert_eq!(rows, [(EventType::KeyExpiring, subject)]);
    let rotated_key = fixture.rotate(expiring_key, end);
    assert_eq!(
        rotated_key.expiry_reported_at, reported_key.expiry_reported_at,
        "a rotation does not change the expiry"
    );
}

fn issue(fixture: &Fixture, account: &TestAccount, expires_at: Option<Timestamp>) -> Key {
    let client = account.client.id;
    let key = fixture.make.key(client, Environment::Live, fixture.now());
    fixture.issue(Key { expires_at, ..key })
}

fn report(fixture: &Fixture, key: &Key) -> Key {
    let entry = audit(AuditAction::KeyExpiring, &key.id, fixture.now());
    let change = fixture
        .store()
        .change_key(key.id, KeyChange::ReportExpiry, entry);
    match block_on_ok(change) {
        Some(key) => key,
        None => panic!("the key is missing"),
    }
}
