//! Creation, changes and deletion of endpoints.

use super::super::cases;
use super::{
    claim, conclude, create, create_from, delete, deliver_all, due, is_due, log, log_numbers,
    log_tests, record, try_create,
};
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, FOREVER, Fixture, TestAccount, together};
use crate::generate::{answered, audited};
use std::collections::BTreeSet;
use std::time::Duration;
use voight_domain::events::EventType;
use voight_domain::vocabulary::Environment;
use voight_domain::webhooks::{
    ATTEMPT_LEASE, DeliveryConclusion, DeliveryLane, DeliveryLog, DeliveryReport, DeliveryState,
    DueAttempt, Endpoint, EndpointChange, EndpointCreation, EndpointName, EndpointRecord,
    EndpointState, FilterChange, MAX_ENDPOINTS,
};

cases![
    endpoint_is_created_once,
    endpoint_limit_is_exact,
    endpoint_is_of_one_client,
    endpoint_change_keeps_progress,
    deleted_endpoint_leaves_nothing,
];

fn new_endpoint(fixture: &Fixture, account: &TestAccount) -> Endpoint {
    let client = account.client.id;
    fixture
        .make
        .endpoint(client, Environment::Live, fixture.now())
}

fn endpoint_is_created_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let endpoint = new_endpoint(fixture, &account);
    let creations = together(|_| try_create(fixture, &endpoint));
    let created_count = creations
        .iter()
        .filter(|creation| matches!(creation, EndpointCreation::Created(_)))
        .count();
    assert_eq!(created_count, 1);
    let name = endpoint.name();
    let stored_record = record(fixture, name);
    let expected_record = EndpointRecord {
        endpoint: endpoint.clone(),
        // The registration of the account has two events.
        delivery: DeliveryState::new(3),
        log: DeliveryLog::default(),
        leased_until: None,
        due_at: None,
    };
    assert_eq!(stored_record, expected_record);
    for creation in creations {
        let (EndpointCreation::Created(record) | EndpointCreation::Existing(record)) = creation
        else {
            panic!("not created: {creation:?}");
        };
        assert_eq!(record, stored_record);
    }
    let paused_record = super::change(fixture, name, EndpointChange::Pause);
    fixture.key(&account.client);
    let repeated_creation = try_create(fixture, &endpoint);
    assert_eq!(repeated_creation, EndpointCreation::Existing(paused_record));
}

fn endpoint_limit_is_exact(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let first = new_endpoint(fixture, &account);
    create_from(fixture, &first);
    fixture.clock.advance(Duration::from_millis(1));
    let created_counts = together(|_| {
        let endpoint = new_endpoint(fixture, &account);
        let creation = try_create(fixture, &endpoint);
        usize::from(matches!(creation, EndpointCreation::Created(_)))
    });
    assert_eq!(created_counts.iter().sum::<usize>(), MAX_ENDPOINTS - 1);
    let list = || block_on_ok(fixture.store().endpoints(account.client.id));
    let records = list();
    assert_eq!(records.len(), MAX_ENDPOINTS);
    assert_eq!(records[0].endpoint, first);
    assert!(records.is_sorted_by_key(|record| record.endpoint.id));
    let late_endpoint = new_endpoint(fixture, &account);
    assert_eq!(
        try_create(fixture, &late_endpoint),
        EndpointCreation::LimitReached
    );
    assert_eq!(list(), records);
    let repeated_creation = try_create(fixture, &first);
    assert!(
        matches!(repeated_creation, EndpointCreation::Existing(_)),
        "a retry is not a new endpoint: {repeated_creation:?}"
    );
    create(fixture, &other_account);
    assert!(delete(fixture, first.name()));
    create_from(fixture, &late_endpoint);
    assert_eq!(list().len(), MAX_ENDPOINTS);
}

fn endpoint_is_of_one_client(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_client = fixture.account().client.id;
    let name = create(fixture, &account);
    log_tests(fixture, name, 1);
    fixture.key(&account.client);
    let stored_record = record(fixture, name);
    let store = fixture.store();
    let wrong_name = EndpointName {
        client: other_client,
        ..name
    };
    assert_eq!(block_on_ok(store.endpoint(wrong_name)), None);
    assert_eq!(block_on_ok(store.endpoints(other_client)), []);
    let changes = vec![audited(EndpointChange::Pause, name.id, fixture.now())];
    let outcome = block_on_ok(store.change_endpoint(wrong_name, changes));
    assert_eq!(outcome, None);
    assert_eq!(block_on_ok(store.claim_deliveries(wrong_name, ALL)), None);
    let conclusion = DeliveryConclusion::default();
    let reports = block_on_ok(store.conclude_deliveries(wrong_name, conclusion));
    assert_eq!(reports, None);
    assert_eq!(block_on_ok(store.deliveries(wrong_name, None, ALL)), []);
    assert!(!delete(fixture, wrong_name));
    assert_eq!(record(fixture, name), stored_record);
    assert_eq!(log_numbers(fixture, name), [1]);
    assert_eq!(due(fixture, DeliveryLane::Healthy), [name]);
}

fn endpoint_change_keeps_progress(fixture: &mut Fixture) {
    let account = fixture.account();
    let name = create(fixture, &account);
    for _ in 0..5 {
        fixture.key(&account.client);
    }
    let first_attempts = claim(fixture, name, 2);
    assert_eq!(first_attempts.len(), 2);
    conclude(fixture, name, &first_attempts[..1], answered(500));
    conclude(fixture, name, &first_attempts[1..], answered(200));
    // The lane is the healthy one again, one event is to be retried, and three are unread.
    let leased_attempts = claim(fixture, name, 1);
    for change in changes() {
        assert_change_keeps_progress(fixture, name, &change);
    }
    let changed_endpoint = record(fixture, name).endpoint;
    assert_eq!(changed_endpoint.state, EndpointState::Active);
    assert_eq!(changed_endpoint.url, "https://platform.example/new");
    assert_eq!(
        (changed_endpoint.generation, changed_endpoint.rotated_at),
        (1, Some(fixture.now()))
    );
    let reports = conclude(fixture, name, &leased_attempts, answered(200));
    assert_eq!(reports, [DeliveryReport::Delivered]);
    let mut delivered_events = deliver_all(fixture, name);
    delivered_events.sort_unstable();
    assert_eq!(delivered_events, [3, 6, 7]);
    assert_replays(fixture, name);
}

/// Returns every change except replays. A pause is the first and is ended by the last one.
fn changes() -> Vec<EndpointChange> {
    let types = [EventType::KeyIssued, EventType::EndpointFailing];
    vec![
        EndpointChange::Pause,
        EndpointChange::Url("https://platform.example/new".to_owned()),
        EndpointChange::Filter(FilterChange {
            types: Some(types.into_iter().collect()),
            contexts: Some(BTreeSet::new()),
        }),
        EndpointChange::Rotate,
        EndpointChange::Pause,
        EndpointChange::Resume,
        EndpointChange::Resume,
    ]
}

fn assert_change_keeps_progress(fixture: &Fixture, name: EndpointName, change: &EndpointChange) {
    let before = record(fixture, name);
    let after = super::change(fixture, name, change.clone());
    assert_eq!(record(fixture, name), after, "{change:?} is not stored");
    assert_eq!(after.delivery, before.delivery, "{change:?}");
    assert_eq!(after.log, before.log, "{change:?}");
    assert_eq!(after.leased_until, before.leased_until, "{change:?}");
    let expected_due_at = after.leased_until.filter(|_| after.endpoint.is_active());
    assert_eq!(after.due_at, expected_due_at, "{change:?}");
    assert!(!is_due(fixture, name), "{change:?}");
    assert_eq!(
        block_on_ok(fixture.store().claim_deliveries(name, ALL)),
        None,
        "{change:?}"
    );
}

/// Replays delivered events: one, and all of them.
fn assert_replays(fixture: &Fixture, name: EndpointName) {
    super::change(fixture, name, EndpointChange::ReplayEvent(4));
    assert_eq!(due(fixture, DeliveryLane::Healthy), [name]);
    assert_eq!(deliver_all(fixture, name), [4]);
    super::change(fixture, name, EndpointChange::ReplayFrom(1));
    assert_eq!(due(fixture, DeliveryLane::Healthy), [name]);
    // The second event of the account is not of an accepted type.
    assert_eq!(deliver_all(fixture, name), [1, 3, 4, 5, 6, 7]);
    super::change(fixture, name, EndpointChange::ReplayEvent(8));
    assert_eq!(record(fixture, name).due_at, None, "it does not exist yet");
}

fn deleted_endpoint_leaves_nothing(fixture: &mut Fixture) {
    let account = fixture.account();
    let endpoint = new_endpoint(fixture, &account);
    let name = create_from(fixture, &endpoint);
    let remaining_name = create(fixture, &account);
    log_tests(fixture, name, 3);
    log_tests(fixture, remaining_name, 2);
    fixture.key(&account.client);
    let attempts = claim(fixture, name, 1);
    conclude(fixture, name, &attempts, answered(500));
    fixture.clock.advance(ATTEMPT_LEASE);
    assert!(is_due(fixture, name));
    assert!(delete(fixture, name));
    assert!(!delete(fixture, name));
    assert_nothing_remains(fixture, name, attempts[0]);
    fixture.key(&account.client);
    assert_nothing_remains(fixture, name, attempts[0]);
    assert_eq!(due(fixture, DeliveryLane::Healthy), [remaining_name]);
    assert_eq!(log_numbers(fixture, remaining_name), [2, 1]);
    create_from(fixture, &endpoint);
    assert_eq!(log(fixture, name), []);
    log_tests(fixture, name, 1);
    assert_eq!(log_numbers(fixture, name), [1]);
    let purged_count = block_on_ok(fixture.store().purge_deliveries(FOREVER, ALL));
    assert_eq!(purged_count, 3, "the log of a deleted endpoint was purged");
}

fn assert_nothing_remains(fixture: &Fixture, name: EndpointName, attempt: DueAttempt) {
    let store = fixture.store();
    assert_eq!(block_on_ok(store.endpoint(name)), None);
    assert_eq!(log(fixture, name), []);
    assert!(!is_due(fixture, name));
    assert_eq!(block_on_ok(store.claim_deliveries(name, ALL)), None);
    let conclusion = DeliveryConclusion {
        lease: None,
        attempts: Vec::new(),
        postponed: vec![attempt],
    };
    let reports = block_on_ok(store.conclude_deliveries(name, conclusion));
    assert_eq!(reports, None);
}
