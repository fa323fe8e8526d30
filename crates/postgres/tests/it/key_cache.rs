//! Lifetime of cached API keys on a node.

use crate::common::{open, open_as, open_by, schema_name, server};
use std::sync::Arc;
use std::time::Duration;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, audit, current};
use voight_domain::ports::RegistryStore;
use voight_domain::registry::{AuditAction, Key, KeyChange};
use voight_domain::vocabulary::Environment;
use voight_postgres::PostgresStore;
use voight_support::ManualClock;

/// Creates a key for a new client.
fn issue(store: &PostgresStore) -> Key {
    let make = ValueGenerator::default();
    let client = make.client(START);
    let key = make.key(client.id, Environment::Live, START);
    let entry = audit(AuditAction::ClientCreated, &client.id, START);
    block_on(store.create_client(client, entry)).expect("a client");
    let entry = audit(AuditAction::KeyIssued, &key.id, START);
    block_on(store.create_key(key, entry))
        .expect("an answer")
        .expect("a key")
}

fn revoke(store: &PostgresStore, key: &Key) {
    let entry = audit(AuditAction::KeyRevoked, &key.id, START);
    block_on(store.change_key(key.id, KeyChange::Revoke { at: START }, entry))
        .expect("an answer")
        .expect("a key");
}

/// Returns `true` if the store has a cached key that is valid.
fn has_cached(store: &PostgresStore, key: &Key) -> bool {
    store
        .cached_key_by_digest(current(key))
        .is_some_and(|cached_key| cached_key.key.accepts(current(key), START))
}

fn look_up(store: &PostgresStore, key: &Key) {
    block_on(store.key_by_digest(current(key)))
        .expect("an answer")
        .expect("a holder");
}

#[test]
fn remote_key_change_is_seen_in_a_second() {
    let server = server();
    let schema = schema_name();
    let url = server.schema(&schema).expect("a schema");
    let clock = Arc::new(ManualClock::new(START));
    let first_node = open_by(&url, 7, Arc::clone(&clock)).expect("a store");
    let second_node = open(&url).expect("a store");
    let key = issue(&first_node);
    assert!(
        !has_cached(&first_node, &key),
        "the key is cached before its first lookup"
    );
    look_up(&first_node, &key);
    assert!(has_cached(&first_node, &key) && !has_cached(&second_node, &key));
    revoke(&second_node, &key);
    clock.advance(Duration::from_millis(999));
    assert!(has_cached(&first_node, &key));
    clock.advance(Duration::from_millis(1));
    assert!(!has_cached(&first_node, &key));
    look_up(&first_node, &key);
    assert!(
        !has_cached(&first_node, &key),
        "a key that was revoked is known to be"
    );
    clock.set(START);
    assert!(
        first_node.cached_key_by_digest(current(&key)).is_none(),
        "the clock was set back"
    );
}

#[test]
fn local_key_change_is_seen_at_once() {
    let server = server();
    let schema = schema_name();
    let store = open_as(&server.schema(&schema).expect("a schema"), 7, START).expect("a store");
    let key = issue(&store);
    look_up(&store, &key);
    assert!(has_cached(&store, &key));
    revoke(&store, &key);
    assert!(!has_cached(&store, &key));
}
