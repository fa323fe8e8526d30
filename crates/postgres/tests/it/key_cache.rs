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
        .is_some_and(|holder| holder.key.accepts(current(key), START))
}

fn look_up(store: &PostgresStore, key: &Key) {
    block_on(store.key_by_digest(current(key)))
        .expect("an answer")
        .expect("a holder");
}

#[test]
fn a_change_at_another_node_is_known_after_a_second() {
    let (server, schema) = (server(), schema_name());
    let url = server.schema(&schema).expect("a schema");
    let clock = Arc::new(ManualClock::new(START));
    let (one, other) = (
        open_by(&url, 7, Arc::clone(&clock)).expect("a store"),
        open(&url).expect("a store"),
    );
    let key = issue(&one);
    assert!(
        !has_cached(&one, &key),
        "the key is cached before its first lookup"
    );
    look_up(&one, &key);
    assert!(has_cached(&one, &key) && !has_cached(&other, &key));
    revoke(&other, &key);
    clock.advance(Duration::from_millis(999));
    assert!(has_cached(&one, &key));
    clock.advance(Duration::from_millis(1));
    assert!(!has_cached(&one, &key));
    look_up(&one, &key);
    assert!(
        !has_cached(&one, &key),
        "a key that was revoked is known to be"
    );
    clock.set(START);
    assert!(
        one.cached_key_by_digest(current(&key)).is_none(),
        "the clock was set back"
    );
}

#[test]
fn a_change_at_the_same_node_is_known_at_once() {
    let (server, schema) = (server(), schema_name());
    let store = open_as(&server.schema(&schema).expect("a schema"), 7, START).expect("a store");
    let key = issue(&store);
    look_up(&store, &key);
    assert!(has_cached(&store, &key));
    revoke(&store, &key);
    assert!(!has_cached(&store, &key));
}
