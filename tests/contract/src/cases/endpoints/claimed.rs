//! Claims and conclusions of attempts.

use super::super::cases;
use super::{
    TEST, change, claim, conclude, create, create_from, deliver_all, events, log, log_numbers,
    log_tests, record,
};
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, FOREVER, Fixture, TestAccount, WRITERS, together, while_written};
use crate::generate::{answered, concluded_attempt};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::events::{EventSubject, EventType};
use voight_domain::ports::{ClaimedDeliveries, Store};
use voight_domain::vocabulary::{EndpointId, Environment};
use voight_domain::webhooks::{
    ATTEMPT_LEASE, AttemptError, AttemptOutcome, DeliveryConclusion, DeliveryReport,
    DisabledReason, DueAttempt, Endpoint, EndpointChange, EndpointName, EndpointState, EventFilter,
    REPORT_AFTER,
};

cases![
    claim_is_exclusive,
    claims_lose_no_event,
    conclusion_is_atomic,
];

fn claim_is_exclusive(fixture: &mut Fixture) {
    assert_claims_are_exclusive(fixture, &[fixture.shared()]);
}

/// Claims from many threads through all nodes, and asserts that one claim at a time is in progress.
pub(in super::super) fn assert_claims_are_exclusive(fixture: &Fixture, nodes: &[Arc<dyn Store>]) {
    let account = fixture.account();
    let name = create(fixture, &account);
    for _ in 0..6 {
        fixture.key(&account.client);
    }
    let claim_at_once = || -> Vec<ClaimedDeliveries> {
        let claims =
            together(|thread| block_on_ok(nodes[thread % nodes.len()].claim_deliveries(name, 2)));
        claims.into_iter().flatten().collect()
    };
    let assert_one_claim = |expected_events: [u64; 2]| {
        let claims = claim_at_once();
        assert_eq!(claims.len(), 1, "claims at the same time");
        assert_eq!((&claims[0].endpoint.id, claims[0].given_up), (&name.id, 0));
        let attempts: Vec<_> = claims[0]
            .attempts
            .iter()
            .map(|(attempt, _)| *attempt)
            .collect();
        assert_eq!(attempts, expected_events.map(first_attempt));
    };
    // The registration of the account has two events.
    assert_one_claim([3, 4]);
    fixture
        .clock
        .advance(ATTEMPT_LEASE.saturating_sub(Duration::from_millis(1)));
    assert_eq!(claim_at_once(), []);
    fixture.clock.advance(Duration::from_millis(1));
    // The worker of the first claim has crashed.
    assert_one_claim([3, 4]);
    conclude(fixture, name, &[3, 4].map(first_attempt), answered(200));
    assert_one_claim([5, 6]);
    change(fixture, name, EndpointChange::Pause);
    change(fixture, name, EndpointChange::Resume);
    assert_eq!(claim_at_once(), [], "claimed after a change");
}

const fn first_attempt(event: u64) -> DueAttempt {
    DueAttempt { event, number: 1 }
}

/// Random claims, outcomes and crashes of an endpoint that accepts the events of keys.
fn claims_lose_no_event(fixture: &mut Fixture) {
    let account = fixture.account();
    let client = account.client.id;
    let endpoint = fixture
        .make
        .endpoint(client, Environment::Live, fixture.now());
    let filter = EventFilter {
        types: [EventType::KeyIssued].into_iter().collect(),
        contexts: BTreeSet::new(),
    };
    let name = create_from(fixture, &Endpoint { filter, ..endpoint });
    let mut rng = fastrand::Rng::with_seed(1);
    let mut concluded_events = BTreeSet::new();
    for _ in 0..100 {
        match rng.u8(..8) {
            0 => drop(fixture.context(&account.key)),
            1..3 => drop(fixture.key(&account.client)),
            _ => make_attempts(fixture, name, &mut rng, &mut concluded_events),
        }
        fixture.clock.advance(Duration::from_secs(rng.u64(..90)));
        assert_no_event_is_lost(fixture, name, &concluded_events);
    }
    for event in deliver_all(fixture, name) {
        assert!(concluded_events.insert(event), "{event} was repeated");
    }
    assert_no_event_is_lost(fixture, name, &concluded_events);
    assert_eq!(
        concluded_events,
        accepted_events(fixture, name, &account),
        "the accepted events, each once"
    );
    assert_purged_events_are_counted(fixture, name, &account);
}

/// Claims attempts, and concludes each in one of three ways. In a quarter of the calls the worker crashes instead.
fn make_attempts(
    fixture: &Fixture,
    name: EndpointName,
    rng: &mut fastrand::Rng,
    concluded_events: &mut BTreeSet<u64>,
) {
    let attempts = claim(fixture, name, rng.usize(1..4));
    if rng.u8(..4) == 0 {
        return;
    }
    let mut conclusion = DeliveryConclusion::default();
    for attempt in attempts {
        let outcome = match rng.u8(..4) {
            0 => {
                conclusion.postponed.push(attempt);
                continue;
            }
            1 => AttemptOutcome::Failed(AttemptError::Timeout),
            _ => answered(204),
        };
        let concluded_attempt = concluded_attempt(attempt, outcome, "", fixture.now());
        conclusion.attempts.push(concluded_attempt);
    }
    let numbers: Vec<_> = conclusion
        .attempts
        .iter()
        .map(|attempt| attempt.record.event)
        .collect();
    let reports = block_on_ok(fixture.store().conclude_deliveries(name, conclusion));
    for (event, report) in numbers.into_iter().zip(reports.unwrap_or_default()) {
        match report {
            DeliveryReport::Delivered | DeliveryReport::GivenUp => {
                assert!(concluded_events.insert(event), "{event} was repeated");
            }
            DeliveryReport::RetryAt(_) => {}
            DeliveryReport::Superseded => panic!("the attempt for {event} has been repeated"),
        }
    }
}

/// Returns the events of keys that were issued after the endpoint was created.
fn accepted_events(fixture: &Fixture, name: EndpointName, account: &TestAccount) -> BTreeSet<u64> {
    let endpoint = record(fixture, name).endpoint;
    let client_events = events(fixture, account.client.id);
    let accepted_events = client_events
        .iter()
        .filter(|event| event.number > 2 && endpoint.accepts(&event.event));
    accepted_events.map(|event| event.number).collect()
}

#[track_caller]
fn assert_no_event_is_lost(
    fixture: &Fixture,
    name: EndpointName,
    concluded_events: &BTreeSet<u64>,
) {
    let stored_record = record(fixture, name);
    let client_events = events(fixture, name.client);
    for event in client_events {
        let is_accepted = event.number > 2 && stored_record.endpoint.accepts(&event.event);
        let is_concluded = concluded_events.contains(&event.number);
        let is_pending = stored_record.delivery.pending.contains_key(&event.number);
        let is_unread = event.number >= stored_record.delivery.cursor;
        let places = [is_concluded, is_pending, is_unread];
        let place_count = places.into_iter().filter(|place| *place).count();
        assert_eq!(
            place_count,
            usize::from(is_accepted || is_unread),
            "{event:?}, {stored_record:?}"
        );
    }
}

/// Deletes a claimed event and two unread ones from the feed, and asserts that the next claim counts them.
fn assert_purged_events_are_counted(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    for _ in 0..3 {
        fixture.key(&account.client);
    }
    assert_eq!(claim(fixture, name, 1).len(), 1);
    block_on_ok(fixture.store().purge_events(FOREVER, ALL));
    fixture.key(&account.client);
    fixture.clock.advance(ATTEMPT_LEASE);
    let last_event = events(fixture, name.client).pop();
    let claim = block_on_ok(fixture.store().claim_deliveries(name, ALL));
    let Some(claim) = claim else {
        panic!("nothing was claimed");
    };
    assert_eq!(claim.given_up, 3);
    let claimed_events: Vec<_> = claim.attempts.into_iter().map(|(_, event)| event).collect();
    assert_eq!(claimed_events, Vec::from_iter(last_event));
}

fn conclusion_is_atomic(fixture: &mut Fixture) {
    let account = fixture.account();
    let name = create(fixture, &account);
    let newest_number = || {
        let newest_delivery = block_on_ok(fixture.store().deliveries(name, None, 1)).pop();
        newest_delivery.map_or(0, |delivery| delivery.number)
    };
    let last_number = || record(fixture, name).log.last;
    while_written(
        |_| {
            for _ in 0..10 {
                log_tests(fixture, name, 2);
            }
        },
        || {
            let before = last_number();
            let newest_number = newest_number();
            let after = last_number();
            assert!(
                (before..=after).contains(&newest_number),
                "the log ends at {newest_number}, its endpoint counts {before}, then {after}"
            );
            assert!(newest_number.is_multiple_of(2), "half of a conclusion");
        },
    );
    let expected_numbers: Vec<_> = (1..=20 * WRITERS as u64).rev().collect();
    assert_eq!(log_numbers(fixture, name), expected_numbers);
    assert_conclusion_is_complete(fixture, name, &account);
    assert_missing_endpoint_gets_nothing(fixture, &account);
}

/// Concludes attempts of a failing endpoint that is then disabled, and asserts what each conclusion writes.
fn assert_conclusion_is_complete(fixture: &Fixture, name: EndpointName, account: &TestAccount) {
    for _ in 0..2 {
        fixture.key(&account.client);
    }
    let first_attempts = claim(fixture, name, 2);
    assert_eq!(first_attempts, [3, 4].map(first_attempt));
    let reports = conclude(fixture, name, &first_attempts, answered(503));
    let retry_times: Vec<_> = reports
        .iter()
        .filter_map(|report| match report {
            DeliveryReport::RetryAt(at) => Some(*at),
            _ => None,
        })
        .collect();
    assert_eq!(retry_times.len(), 2, "{reports:?}");
    assert_eq!(
        record(fixture, name).due_at,
        retry_times.iter().min().copied()
    );
    for (wait, status, event_type) in [
        (REPORT_AFTER, 503, EventType::EndpointFailing),
        (REPORT_AFTER, 410, EventType::EndpointDisabled),
    ] {
        fixture.clock.advance(wait);
        let attempts = claim(fixture, name, 10);
        assert_eq!(attempts.len(), 1, "attempts of a failing endpoint");
        conclude(fixture, name, &attempts, answered(status));
        let newest_record = log(fixture, name).swap_remove(0).record;
        assert_eq!(
            (newest_record.event, newest_record.outcome),
            (attempts[0].event, answered(status))
        );
        let last_event = events(fixture, name.client).pop().map(|event| event.event);
        assert_eq!(
            last_event.map(|event| (event.event_type, event.subject)),
            Some((event_type, EventSubject::Endpoint(name.id)))
        );
    }
    let disabled_endpoint = record(fixture, name);
    let expected_state = EndpointState::Disabled {
        reason: DisabledReason::Gone,
        at: fixture.now(),
    };
    assert_eq!(disabled_endpoint.endpoint.state, expected_state);
    assert_eq!(disabled_endpoint.due_at, None);
    assert_eq!(claim(fixture, name, 10), []);
}

fn assert_missing_endpoint_gets_nothing(fixture: &Fixture, account: &TestAccount) {
    let client = account.client.id;
    let name = EndpointName {
        client,
        id: EndpointId::from_bytes([9; 16]),
    };
    let events_before = events(fixture, client);
    let attempts = vec![concluded_attempt(TEST, answered(200), "", fixture.now())];
    let conclusion = DeliveryConclusion {
        lease: None,
        attempts,
        postponed: Vec::new(),
    };
    let reports = block_on_ok(fixture.store().conclude_deliveries(name, conclusion));
    assert_eq!(reports, None);
    assert_eq!(log(fixture, name), []);
    assert_eq!(events(fixture, client), events_before);
}
