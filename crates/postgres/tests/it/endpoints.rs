//! Webhook endpoints beside events of other transactions: no event stays undiscovered.

use crate::common::{open, schema_name, server};
use std::thread;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, address, audit, audited, overrule};
use voight_domain::ports::{AdminStore, EndpointStore, EventStore, RegisterOutcome, RegistryStore};
use voight_domain::registry::{AuditAction, Context, Key};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{ClientId, EndpointId, Environment};
use voight_domain::webhooks::{
    DeliveryConclusion, Endpoint, EndpointChange, EndpointName, EndpointState, EventFilter,
    SignatureKind,
};
use voight_postgres::PostgresStore;

/// Number of repetitions, because the order of two transactions differs from run to run.
const REPETITIONS: u32 = 40;

/// Creates a client without events.
fn create_client(store: &PostgresStore, make: &ValueGenerator) -> ClientId {
    let client = make.client(START);
    let entry = audit(AuditAction::ClientCreated, &client.id, START);
    block_on(store.create_client(client.clone(), entry)).expect("a client");
    client.id
}

/// Creates a live key, which appends an event.
fn append_event(store: &PostgresStore, make: &ValueGenerator, client: ClientId) -> Key {
    let key = make.key(client, Environment::Live, START);
    let entry = audit(AuditAction::KeyIssued, &client, START);
    block_on(store.create_key(key, entry))
        .expect("an answer")
        .expect("a key")
}

fn create_context(store: &PostgresStore, make: &ValueGenerator, client: ClientId) -> Context {
    let key = append_event(store, make, client);
    let context = make.context(&key, START);
    let entry = audit(AuditAction::ContextRegistered, &context.id, START);
    match block_on(store.register_context(context, None, entry)).expect("an answer") {
        RegisterOutcome::Registered(context) => context,
        outcome => panic!("{outcome:?}"),
    }
}

/// Creates an endpoint that accepts no event of a live key, so that no claim of it has an attempt.
fn create_endpoint(store: &PostgresStore, make: &ValueGenerator, client: ClientId) -> EndpointName {
    let endpoint = Endpoint {
        id: EndpointId::new(START, make.bytes()),
        client,
        environment: Environment::Sandbox,
        url: "https://platform.example/events".to_owned(),
        filter: EventFilter::default(),
        signature_kind: SignatureKind::Hmac,
        generation: 0,
        rotated_at: None,
        created_at: START,
        state: EndpointState::Active,
    };
    let name = endpoint.name();
    let entry = audit(AuditAction::WebhookCreated, &name.id, START);
    block_on(store.create_endpoint(endpoint, entry)).expect("an endpoint");
    name
}

fn claim(store: &PostgresStore, name: EndpointName) {
    let claim = block_on(store.claim_deliveries(name, 1)).expect("an answer");
    let claim = claim.expect("the endpoint is active and has no lease");
    assert_eq!(claim.attempts, []);
}

fn pause_and_resume(store: &PostgresStore, name: EndpointName) {
    change(store, name, EndpointChange::Pause);
    change(store, name, EndpointChange::Resume);
}

fn change(store: &PostgresStore, name: EndpointName, change: EndpointChange) {
    let changes = vec![audited(change, name.id, START)];
    let outcome = block_on(store.change_endpoint(name, changes)).expect("an answer");
    outcome.expect("the endpoint exists").expect("no replay");
}

/// Asserts that the endpoint is due if and only if it has not read all events.
fn assert_unread_events_are_due(store: &PostgresStore, name: EndpointName, repetition: u32) {
    let feed = block_on(store.event_feed(name.client)).expect("a feed");
    let record = block_on(store.endpoint(name)).expect("an answer");
    let record = record.expect("an endpoint");
    let has_unread_events = record.delivery.cursor <= feed.last;
    assert_eq!(
        record.due_at.is_some(),
        has_unread_events,
        "repetition {repetition}: {feed:?}, {record:?}"
    );
}

#[test]
fn event_beside_claim_or_change_is_discovered() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    let [first_node, second_node] = [0; 2].map(|_| open(&url).expect("a store"));
    let make = ValueGenerator::default();
    let actions: [fn(&PostgresStore, EndpointName); 2] = [claim, pause_and_resume];
    for repetition in 0..REPETITIONS {
        let client = create_client(&first_node, &make);
        let name = create_endpoint(&first_node, &make, client);
        for action in actions {
            // The endpoint is due before the second event.
            append_event(&first_node, &make, client);
            thread::scope(|scope| {
                scope.spawn(|| append_event(&first_node, &make, client));
                action(&second_node, name);
            });
            assert_unread_events_are_due(&first_node, name, repetition);
        }
    }
}

#[test]
fn event_beside_creation_is_discovered() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    let [first_node, second_node] = [0; 2].map(|_| open(&url).expect("a store"));
    let make = ValueGenerator::default();
    let client = create_client(&first_node, &make);
    let context = create_context(&first_node, &make, client);
    for repetition in 0..REPETITIONS {
        // An override does not lock the client, unlike the creation of a key.
        let verdict_override = overrule(&context, address(repetition), OverrideTo::Bot);
        let entry = audit(AuditAction::VerdictOverridden, &context.id, START);
        let name = thread::scope(|scope| {
            scope.spawn(|| {
                let verdict = block_on(first_node.override_verdict(verdict_override, entry));
                verdict.expect("a verdict")
            });
            create_endpoint(&second_node, &make, client)
        });
        assert_unread_events_are_due(&first_node, name, repetition);
        let entry = audit(AuditAction::WebhookDeleted, &name.id, START);
        block_on(first_node.delete_endpoint(name, entry)).expect("an answer");
    }
}

#[test]
fn endpoint_of_empty_feed_leaves_no_feed() {
    let server = server();
    let schema = schema_name();
    let store = open(&server.schema(&schema).expect("a schema")).expect("a store");
    let make = ValueGenerator::default();
    let client = create_client(&store, &make);
    let name = create_endpoint(&store, &make, client);
    let conclusion = block_on(store.conclude_deliveries(name, DeliveryConclusion::default()));
    assert_eq!(conclusion, Ok(Some(Vec::new())));
    let feeds = format!("SELECT count(*) FROM {schema}.event_feed");
    assert_eq!(server.run(&feeds).as_deref(), Ok("0"));
    append_event(&store, &make, client);
    assert_eq!(server.run(&feeds).as_deref(), Ok("1"));
    assert_unread_events_are_due(&store, name, 0);
}
