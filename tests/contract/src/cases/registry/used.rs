//! Recorded uses of API keys.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, while_written};
use crate::generate::audit;
use std::time::Duration;
use voight_domain::ports::ContextFilter;
use voight_domain::registry::{AuditAction, Key, KeyChange, KeyUse};
use voight_domain::vocabulary::{KeyId, Timestamp};

cases![
    key_use_is_stored_once_a_minute,
    key_use_changes_nothing_else
];

fn use_key(fixture: &Fixture, key: KeyId, at: Timestamp) -> Option<Timestamp> {
    block_on_ok(fixture.store().store_key_uses(vec![KeyUse { key, at }]));
    last_use(fixture, key)
}

fn last_use(fixture: &Fixture, key: KeyId) -> Option<Timestamp> {
    block_on_ok(fixture.store().key(key)).and_then(|key| key.last_used_at)
}

fn key_use_is_stored_once_a_minute(fixture: &mut Fixture) {
    let key = fixture.account().key.id;
    let start = fixture.now();
    let seconds_later = |seconds| start.saturating_add(Duration::from_secs(seconds));
    assert_eq!(use_key(fixture, key, start), Some(start));
    assert_eq!(
        use_key(fixture, key, seconds_later(59)),
        Some(start),
        "two uses of one minute are stored"
    );
    assert_eq!(
        use_key(fixture, key, seconds_later(90)),
        Some(seconds_later(90))
    );
    assert_eq!(
        use_key(fixture, key, seconds_later(60)),
        Some(seconds_later(90)),
        "the time of a use decreased"
    );
    let other_key = fixture.account().key.id;
    let unknown = KeyUse {
        key: KeyId::from_bytes([9; 16]),
        at: start,
    };
    let uses = [other_key, key].map(|key| KeyUse {
        key,
        at: seconds_later(200),
    });
    block_on_ok(
        fixture
            .store()
            .store_key_uses([vec![unknown], uses.to_vec()].concat()),
    );
    for key in [other_key, key] {
        assert_eq!(last_use(fixture, key), Some(seconds_later(200)));
    }
    assert_eq!(block_on_ok(fixture.store().key(unknown.key)), None);
}

fn key_use_changes_nothing_else(fixture: &mut Fixture) {
    let account = fixture.account();
    let key = account.key.clone();
    let entries = block_on_ok(fixture.store().audit(0, ALL)).len();
    use_key(fixture, key.id, fixture.now());
    let expected_key = Key {
        last_used_at: Some(fixture.now()),
        ..key.clone()
    };
    assert_eq!(
        block_on_ok(fixture.store().key(key.id)),
        Some(expected_key.clone())
    );
    assert_eq!(
        block_on_ok(fixture.store().keys(account.client.id)),
        [expected_key]
    );
    let found_key = block_on_ok(fixture.store().key_by_digest(key.secrets[0].digest))
        .map(|found_key| (found_key.key.secrets, found_key.client));
    assert_eq!(
        found_key,
        Some((key.secrets.clone(), account.client.clone()))
    );
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .contexts(ContextFilter::Key(key.id), None, ALL)
        )
        .len(),
        1
    );
    assert_eq!(
        block_on_ok(fixture.store().audit(0, ALL)).len(),
        entries,
        "a use is in the audit log"
    );

    // A concurrently stored use never undoes a revocation.
    let write = |writer: usize| {
        let store = fixture.store();
        if writer == 0 {
            let entry = audit(AuditAction::KeyRevoked, &key.id, fixture.now());
            block_on_ok(store.change_key(key.id, KeyChange::Revoke { at: fixture.now() }, entry));
        } else {
            let at = fixture
                .now()
                .saturating_add(Duration::from_hours(writer as u64));
            block_on_ok(store.store_key_uses(vec![KeyUse { key: key.id, at }]));
        }
    };
    while_written(write, || drop(block_on_ok(fixture.store().key(key.id))));
    let stored_key =
        block_on_ok(fixture.store().key(key.id)).map(|key| (key.revoked_at, key.secrets));
    assert_eq!(stored_key, Some((Some(fixture.now()), key.secrets)));
}
