//! Promises of `EndpointStore`.

mod audited;
mod claimed;
mod clock;
mod due;
mod logged;
mod registered;

pub(super) use claimed::assert_claims_are_exclusive;

use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, TestAccount};
use crate::generate::{answered, audit, audited, concluded_attempt};
use voight_domain::events::ClientEvent;
use voight_domain::ports::NumberedDelivery;
use voight_domain::registry::AuditAction;
use voight_domain::vocabulary::{ClientId, Environment};
use voight_domain::webhooks::{
    AttemptOutcome, DeliveryConclusion, DeliveryLane, DeliveryReport, DueAttempt, Endpoint,
    EndpointChange, EndpointCreation, EndpointName, EndpointRecord,
};

pub(super) const CASES: [&[super::Case]; 6] = [
    registered::CASES,
    audited::CASES,
    due::CASES,
    claimed::CASES,
    clock::CASES,
    logged::CASES,
];

/// Creates an endpoint of the account that accepts all events.
pub(super) fn create(fixture: &Fixture, account: &TestAccount) -> EndpointName {
    let client = account.client.id;
    let endpoint = fixture
        .make
        .endpoint(client, Environment::Live, fixture.now());
    create_from(fixture, &endpoint)
}

#[track_caller]
fn create_from(fixture: &Fixture, endpoint: &Endpoint) -> EndpointName {
    match try_create(fixture, endpoint) {
        EndpointCreation::Created(record) => assert_eq!(record.endpoint, *endpoint),
        creation => panic!("not created: {creation:?}"),
    }
    endpoint.name()
}

fn try_create(fixture: &Fixture, endpoint: &Endpoint) -> EndpointCreation {
    let entry = audit(AuditAction::WebhookCreated, &endpoint.id, fixture.now());
    block_on_ok(fixture.store().create_endpoint(endpoint.clone(), entry))
}

/// Deletes an endpoint; returns `false` if it does not exist.
pub(super) fn delete(fixture: &Fixture, name: EndpointName) -> bool {
    let entry = audit(AuditAction::WebhookDeleted, &name.id, fixture.now());
    block_on_ok(fixture.store().delete_endpoint(name, entry))
}

#[track_caller]
pub(super) fn record(fixture: &Fixture, name: EndpointName) -> EndpointRecord {
    let stored_record = block_on_ok(fixture.store().endpoint(name));
    stored_record.unwrap_or_else(|| panic!("the endpoint {} is missing", name.id))
}

/// Applies a change that the progress of the endpoint allows.
#[track_caller]
pub(super) fn change(
    fixture: &Fixture,
    name: EndpointName,
    change: EndpointChange,
) -> EndpointRecord {
    let changes = vec![audited(change, name.id, fixture.now())];
    match block_on_ok(fixture.store().change_endpoint(name, changes)) {
        Some(Ok(record)) => record,
        outcome => panic!("not changed: {outcome:?}"),
    }
}

/// Claims attempts; none if a claim is in progress.
pub(super) fn claim(fixture: &Fixture, name: EndpointName, limit: usize) -> Vec<DueAttempt> {
    let claimed_deliveries = block_on_ok(fixture.store().claim_deliveries(name, limit));
    let attempts = claimed_deliveries
        .into_iter()
        .flat_map(|claim| claim.attempts);
    attempts
        .map(|(attempt, event)| {
            assert_eq!(attempt.event, event.number, "the event of another attempt");
            attempt
        })
        .collect()
}

/// Concludes attempts with the same outcome.
#[track_caller]
pub(super) fn conclude(
    fixture: &Fixture,
    name: EndpointName,
    attempts: &[DueAttempt],
    outcome: AttemptOutcome,
) -> Vec<DeliveryReport> {
    let responses = attempts.iter().map(|attempt| (*attempt, "ok"));
    conclude_with(fixture, name, outcome, responses)
}

/// Concludes attempts with the same outcome and different responses.
#[track_caller]
pub(super) fn conclude_with<'a>(
    fixture: &Fixture,
    name: EndpointName,
    outcome: AttemptOutcome,
    responses: impl Iterator<Item = (DueAttempt, &'a str)>,
) -> Vec<DeliveryReport> {
    let now = fixture.now();
    let attempts = responses
        .map(|(attempt, response)| concluded_attempt(attempt, outcome, response, now))
        .collect();
    let conclusion = DeliveryConclusion {
        lease: record(fixture, name).leased_until,
        attempts,
        postponed: Vec::new(),
    };
    let reports = block_on_ok(fixture.store().conclude_deliveries(name, conclusion));
    reports.unwrap_or_else(|| panic!("the endpoint {} is missing", name.id))
}

/// Logs this number of tests.
pub(super) fn log_tests(fixture: &Fixture, name: EndpointName, count: usize) {
    let tests = vec![TEST; count];
    assert_eq!(conclude(fixture, name, &tests, answered(200)), []);
}

/// Attempt of a test, which delivers no event.
pub(super) const TEST: DueAttempt = DueAttempt {
    event: 0,
    number: 1,
};

/// Delivers events until nothing is due any more, and returns their numbers. The clock advances to the times of retries.
pub(super) fn deliver_all(fixture: &Fixture, name: EndpointName) -> Vec<u64> {
    let mut delivered_events = Vec::new();
    for _ in 0..1000 {
        let Some(due_at) = record(fixture, name).due_at else {
            return delivered_events;
        };
        if due_at > fixture.now() {
            fixture.clock.set(due_at);
        }
        let attempts = claim(fixture, name, 10);
        delivered_events.extend(attempts.iter().map(|attempt| attempt.event));
        conclude(fixture, name, &attempts, answered(200));
    }
    panic!("the deliveries do not end");
}

/// Returns the endpoints of a lane that are due, the longest overdue first.
fn due(fixture: &Fixture, lane: DeliveryLane) -> Vec<EndpointName> {
    block_on_ok(fixture.store().due_endpoints(lane, ALL))
}

fn is_due(fixture: &Fixture, name: EndpointName) -> bool {
    DeliveryLane::ALL
        .into_iter()
        .any(|lane| due(fixture, lane).contains(&name))
}

/// Returns the log, newest record first.
fn log(fixture: &Fixture, name: EndpointName) -> Vec<NumberedDelivery> {
    block_on_ok(fixture.store().deliveries(name, None, ALL))
}

fn log_numbers(fixture: &Fixture, name: EndpointName) -> Vec<u64> {
    let deliveries = log(fixture, name);
    deliveries.iter().map(|delivery| delivery.number).collect()
}

fn events(fixture: &Fixture, client: ClientId) -> Vec<ClientEvent> {
    block_on_ok(fixture.store().events(client, 0, ALL))
}
