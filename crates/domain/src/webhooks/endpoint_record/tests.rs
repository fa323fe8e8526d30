//! Tests of the steps of an endpoint.

use super::*;
use crate::events::EventSubject;
use crate::vocabulary::{Environment, KeyId};
use crate::webhooks::{
    AttemptError, AttemptOutcome, EndpointChange, EventFilter, FilterChange, MAX_LOG_RECORDS,
    testing,
};
use std::time::Duration;

const SUCCESS: AttemptOutcome = AttemptOutcome::Answered {
    status: 200,
    retry_after: None,
};
const FAILURE: AttemptOutcome = AttemptOutcome::Failed(AttemptError::Timeout);
const GONE: AttemptOutcome = AttemptOutcome::Answered {
    status: 410,
    retry_after: None,
};

fn after(duration: Duration) -> Timestamp {
    Timestamp::from_millis(1_795_000_000_000).saturating_add(duration)
}

fn now() -> Timestamp {
    after(Duration::ZERO)
}

fn seconds(count: u64) -> Timestamp {
    after(Duration::from_secs(count))
}

fn feed(last: u64) -> EventFeed {
    EventFeed {
        last,
        ..EventFeed::default()
    }
}

fn endpoint() -> Endpoint {
    testing::endpoint(now())
}

/// Returns the record of a new endpoint, whose first event has the number 1.
fn record() -> EndpointRecord {
    match EndpointRecord::creation(endpoint(), None, 0, feed(0)) {
        EndpointCreation::Created(record) => record,
        other_creation => panic!("{other_creation:?}"),
    }
}

fn events(numbers: Range<u64>) -> Vec<ClientEvent> {
    let event = NewEvent {
        event_type: EventType::KeyIssued,
        environment: Environment::Live,
        subject: EventSubject::Key(KeyId::from_bytes([1; 16])),
    };
    numbers
        .map(|number| ClientEvent {
            number,
            at: now(),
            event: event.clone(),
        })
        .collect()
}

fn claim(record: EndpointRecord, newest: u64, now: Timestamp) -> EndpointClaim {
    let unread = events(record.delivery.cursor..newest + 1);
    record.claim(feed(newest), &unread, &[], 8, now).unwrap()
}

fn conclusion(
    attempts: &[DueAttempt],
    outcome: AttemptOutcome,
    at: Timestamp,
) -> DeliveryConclusion {
    let concluded_attempts = attempts.iter().map(|attempt| ConcludedAttempt {
        record: DeliveryRecord::new(*attempt, at, Duration::from_millis(5), outcome, b"body"),
        random: 0,
    });
    DeliveryConclusion {
        lease: None,
        attempts: concluded_attempts.collect(),
        postponed: Vec::new(),
    }
}

/// Returns the step after all attempts of a claim ended with this outcome.
fn conclude(
    claim: EndpointClaim,
    outcome: AttemptOutcome,
    newest: u64,
    now: Timestamp,
) -> ConclusionStep {
    let conclusion = DeliveryConclusion {
        lease: claim.record.leased_until,
        ..conclusion(&claim.attempts, outcome, now)
    };
    claim.record.conclude(conclusion, feed(newest), now)
}

fn change(record: EndpointRecord, change: EndpointChange) -> EndpointRecord {
    change_at(record, change, feed(0), now())
}

fn change_at(
    record: EndpointRecord,
    change: EndpointChange,
    feed: EventFeed,
    now: Timestamp,
) -> EndpointRecord {
    let changes = vec![testing::audited(change, "")];
    record.with_changes(changes, feed, now).unwrap().record
}

#[test]
fn client_has_at_most_ten_endpoints() {
    let create = |stored, count| EndpointRecord::creation(endpoint(), stored, count, feed(7));
    let EndpointCreation::Created(record) = create(None, 9) else {
        panic!("the tenth endpoint is not created");
    };
    assert_eq!(
        record.delivery.cursor, 8,
        "the next event is the first one sent"
    );
    assert_eq!(record.due_at, None);
    assert_eq!(create(None, 10), EndpointCreation::LimitReached);
    let existing = EndpointCreation::Existing(record.clone());
    assert_eq!(create(Some(record), 10), existing, "a repeated call");
}

#[test]
fn appended_event_makes_an_active_endpoint_due() {
    let due_record = record().after_event(now()).unwrap();
    assert_eq!(due_record.due_at, Some(now()));
    assert_eq!(due_record.after_event(seconds(1)), None, "due before");
    let paused_record = change(record(), EndpointChange::Pause);
    assert_eq!(paused_record.after_event(now()), None);
    let claim = claim(due_record, 1, now());
    assert_eq!(
        claim.record.after_event(now()),
        None,
        "a claim is in progress"
    );
}

#[test]
fn claim_leases_the_endpoint_until_its_conclusion() {
    let claim = claim(record(), 9, now());
    assert_eq!(claim.attempts.len(), 8);
    let lease_end = Some(seconds(60));
    assert_eq!(claim.record.leased_until, lease_end);
    assert_eq!(claim.record.due_at, lease_end);
    let again = |now| claim.record.clone().claim(feed(9), &[], &[], 8, now);
    assert_eq!(again(seconds(59)), None);
    assert_eq!(again(seconds(60)).unwrap().attempts, claim.attempts);
    let step = conclude(claim, SUCCESS, 9, seconds(1));
    assert_eq!(step.reports, [DeliveryReport::Delivered; 8]);
    assert_eq!(step.record.leased_until, None);
    assert_eq!(step.record.due_at, Some(seconds(1)), "one event is unread");
}

#[test]
fn conclusion_ends_no_claim_but_its_own() {
    let claim = claim(record(), 1, now());
    let test = DueAttempt {
        event: 0,
        number: 1,
    };
    let step = claim
        .record
        .clone()
        .conclude(conclusion(&[test], SUCCESS, now()), feed(1), now());
    assert_eq!(step.record.leased_until, claim.record.leased_until);
    let next_claim = tests::claim(step.record, 1, seconds(60));
    let late_conclusion = DeliveryConclusion {
        lease: claim.record.leased_until,
        ..conclusion(&claim.attempts, SUCCESS, seconds(61))
    };
    let next_lease = next_claim.record.leased_until;
    let step = next_claim
        .record
        .conclude(late_conclusion, feed(1), seconds(61));
    assert_eq!(step.reports, [DeliveryReport::Delivered]);
    assert_eq!(step.record.leased_until, next_lease);
}

#[test]
fn clock_that_is_set_back_ends_a_lease() {
    let claim = claim(record(), 1, seconds(3_600));
    let unread = events(2..3);
    let second = claim.record.claim(feed(2), &unread, &[], 8, now()).unwrap();
    assert_eq!(second.attempts.len(), 2);
}

#[test]
fn endpoint_without_unread_events_is_not_due() {
    let claim = claim(record(), 0, now());
    assert_eq!(claim.attempts, []);
    assert_eq!(claim.record, record());
    let delivered = conclude(tests::claim(record(), 1, now()), SUCCESS, 1, seconds(1));
    assert_eq!(delivered.record.due_at, None);
}

#[test]
fn failing_endpoint_has_one_attempt_at_a_time() {
    let first = conclude(claim(record(), 9, now()), FAILURE, 9, seconds(1));
    assert_eq!(first.record.lane(), DeliveryLane::Failing);
    let second = claim(first.record, 9, seconds(10));
    assert_eq!(second.attempts.len(), 1);
    let step = conclude(second, SUCCESS, 9, seconds(11));
    assert_eq!(step.record.lane(), DeliveryLane::Healthy);
    assert_eq!(claim(step.record, 9, seconds(12)).attempts.len(), 8);
}

#[test]
fn gone_receiver_is_disabled_with_an_event() {
    let step = conclude(claim(record(), 1, now()), GONE, 1, seconds(1));
    let disabled_state = EndpointState::Disabled {
        reason: DisabledReason::Gone,
        at: seconds(1),
    };
    assert_eq!(step.record.endpoint.state, disabled_state);
    assert_eq!(step.record.due_at, None);
    let disabled_event = endpoint().event(EventType::EndpointDisabled);
    assert_eq!(step.events, [disabled_event]);
    let disabled_record = step.record;
    assert_eq!(
        disabled_record
            .clone()
            .claim(feed(2), &[], &[], 8, seconds(2)),
        None
    );
    let paused_record = change(disabled_record.clone(), EndpointChange::Pause);
    assert_eq!(paused_record.endpoint.state, disabled_state);
    let resumed_record = change_at(disabled_record, EndpointChange::Resume, feed(2), seconds(3));
    assert_eq!(resumed_record.lane(), DeliveryLane::Healthy);
    assert_eq!(resumed_record.due_at, Some(seconds(3)));
}

#[test]
fn failing_is_reported_once_in_a_run() {
    let mut record = record();
    let mut event_types = Vec::new();
    for hour in 0..120 {
        let begin = after(Duration::from_hours(hour));
        let step = conclude(claim(record, 1_000, begin), FAILURE, 1_000, begin);
        event_types.extend(step.events.into_iter().map(|event| event.event_type));
        record = step.record;
    }
    assert_eq!(event_types, [EventType::EndpointFailing]);
    let end = after(Duration::from_hours(120));
    let step = conclude(claim(record, 1_000, end), FAILURE, 1_000, end);
    assert_eq!(step.events[0].event_type, EventType::EndpointDisabled);
}

#[test]
fn paused_endpoint_continues_where_it_stopped() {
    let first = conclude(claim(record(), 2, now()), SUCCESS, 2, now());
    let paused_record = change(first.record, EndpointChange::Pause);
    assert_eq!(paused_record.endpoint.state, EndpointState::Paused);
    assert_eq!(
        paused_record
            .clone()
            .claim(feed(5), &events(3..6), &[], 8, now()),
        None
    );
    let resumed_record = change_at(paused_record, EndpointChange::Resume, feed(5), now());
    let numbers: Vec<_> = claim(resumed_record, 5, now())
        .attempts
        .iter()
        .map(|attempt| attempt.event)
        .collect();
    assert_eq!(numbers, [3, 4, 5]);
}

#[test]
fn settings_are_replaced_and_keys_rotated() {
    let url = "https://other.example/".to_owned();
    let filter = EventFilter {
        types: [EventType::KeyIssued].into_iter().collect(),
        ..EventFilter::default()
    };
    let record = change(record(), EndpointChange::Url(url.clone()));
    let filter_change = FilterChange {
        types: Some(filter.types),
        contexts: None,
    };
    let record = change(record, EndpointChange::Filter(filter_change));
    let record = change(record, EndpointChange::Rotate);
    let expected_endpoint = Endpoint {
        url,
        filter,
        generation: 1,
        rotated_at: Some(now()),
        ..endpoint()
    };
    assert_eq!(record.endpoint, expected_endpoint);
    let rotated_twice = change_at(record, EndpointChange::Rotate, feed(0), seconds(1));
    assert_eq!(
        rotated_twice.endpoint.overlapping_generation(seconds(2)),
        Some(1)
    );
}

#[test]
fn events_that_the_retention_deleted_are_given_up() {
    let feed = EventFeed {
        last: 9,
        purged: 6,
        ..EventFeed::default()
    };
    let claim = record().claim(feed, &events(7..10), &[], 8, now()).unwrap();
    assert_eq!(claim.given_up, 6);
    assert_eq!(claim.attempts.len(), 3);
}

#[test]
fn test_delivery_is_logged_and_changes_nothing_else() {
    let test = DueAttempt {
        event: 0,
        number: 1,
    };
    for outcome in [SUCCESS, FAILURE, GONE] {
        let step = record().conclude(conclusion(&[test], outcome, now()), feed(0), now());
        assert!(step.reports.is_empty() && step.events.is_empty());
        assert_eq!(step.new_records.len(), 1);
        let expected_record = EndpointRecord {
            log: step.record.log,
            ..record()
        };
        assert_eq!(step.record, expected_record);
    }
}

#[test]
fn postponed_attempt_is_due_again_in_a_second() {
    let claim = claim(record(), 1, now());
    let conclusion = DeliveryConclusion {
        lease: claim.record.leased_until,
        attempts: Vec::new(),
        postponed: claim.attempts.clone(),
    };
    let step = claim.record.conclude(conclusion, feed(1), seconds(5));
    assert!(step.new_records.is_empty() && step.reports.is_empty());
    assert_eq!(step.record.lane(), DeliveryLane::Healthy);
    assert_eq!(step.record.due_at, Some(seconds(6)));
    let second = tests::claim(step.record, 1, seconds(6));
    assert_eq!(second.attempts, claim.attempts, "the same attempt");
}

#[test]
fn log_has_the_newest_records() {
    let mut record = record();
    record.log.last = MAX_LOG_RECORDS;
    let step = conclude(claim(record, 2, now()), SUCCESS, 2, now());
    let numbers: Vec<_> = step.new_records.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [MAX_LOG_RECORDS + 1, MAX_LOG_RECORDS + 2]);
    assert_eq!(step.removed_records, 1..3);
}
