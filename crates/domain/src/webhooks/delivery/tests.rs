//! Tests of single decisions. `tests/it/webhooks` simulates days of them.

use super::*;
use crate::webhooks::{AttemptError, DISABLE_AFTER, FeedPage, REPORT_AFTER};

const FAILURE: AttemptOutcome = AttemptOutcome::Failed(AttemptError::Timeout);

fn start() -> Timestamp {
    Timestamp::from_millis(1_795_000_000_000)
}

fn after(duration: Duration) -> Timestamp {
    start().saturating_add(duration)
}

const fn status(status: u16) -> AttemptOutcome {
    AttemptOutcome::Answered {
        status,
        retry_after: None,
    }
}

fn first_attempt(event: u64) -> DueAttempt {
    DueAttempt { event, number: 1 }
}

/// Returns a state in which the first attempts of the events 1 to `count` are in progress.
fn started(count: u64) -> DeliveryState {
    let feed = FeedPage {
        accepted: (1..=count).collect(),
        end: count + 1,
    };
    let claim = DeliveryState::new(1).claim(start(), &feed, &FeedPage::default(), usize::MAX);
    claim.state
}

fn failed_once(state: DeliveryState, now: Timestamp) -> DeliveryStep {
    after_attempt(state, first_attempt(1), FAILURE, now, 0)
}

#[test]
fn delivered_event_is_removed() {
    let step = after_attempt(started(2), first_attempt(2), status(204), start(), 0);
    assert_eq!(step.delivery, DeliveryReport::Delivered);
    assert_eq!(step.endpoint, None);
    assert_eq!(step.state.pending.keys().copied().collect::<Vec<_>>(), [1]);
    assert_eq!(step.state.cursor, 3);
}

#[test]
fn failed_event_is_due_by_the_schedule() {
    for outcome in [FAILURE, status(302), status(404), status(500)] {
        let step = after_attempt(started(1), first_attempt(1), outcome, start(), 0);
        let due_at = after(Duration::from_secs(4));
        assert_eq!(step.delivery, DeliveryReport::RetryAt(due_at));
        assert_eq!(step.state.next_due(start(), 1), Some(due_at));
        assert_eq!(step.state.failure_run.unwrap().since, start());
    }
}

#[test]
fn attempts_in_progress_are_not_claimed_again() {
    let none = FeedPage::default();
    let claim = |now| started(2).claim(now, &none, &none, 10).attempts;
    assert_eq!(claim(start()), []);
    assert_eq!(claim(after(Duration::from_millis(59_999))), []);
    assert_eq!(
        claim(after(ATTEMPT_LEASE)),
        [first_attempt(1), first_attempt(2)]
    );
}

#[test]
fn event_is_given_up_after_the_last_attempt() {
    let mut state = started(1);
    for number in 1..=9 {
        let attempt = DueAttempt { event: 1, number };
        let step = after_attempt(state, attempt, FAILURE, start(), 0);
        assert!(matches!(step.delivery, DeliveryReport::RetryAt(_)));
        state = step.state;
    }
    let last_attempt = DueAttempt {
        event: 1,
        number: 10,
    };
    let step = after_attempt(state, last_attempt, FAILURE, start(), 0);
    assert_eq!(step.delivery, DeliveryReport::GivenUp);
    assert!(step.state.pending.is_empty());
    assert!(
        step.state
            .replay_event(1, start())
            .unwrap()
            .pending
            .contains_key(&1)
    );
}

#[test]
fn outcome_of_a_superseded_attempt_changes_no_event() {
    let step = failed_once(started(1), start());
    let repeated = failed_once(step.state.clone(), start());
    assert_eq!(repeated.delivery, DeliveryReport::Superseded);
    assert_eq!(repeated.state, step.state);
    let late_success = after_attempt(step.state, first_attempt(1), status(200), start(), 0);
    assert_eq!(late_success.delivery, DeliveryReport::Delivered);
    let second_success = after_attempt(
        late_success.state,
        first_attempt(1),
        status(200),
        start(),
        0,
    );
    assert_eq!(second_success.delivery, DeliveryReport::Superseded);
}

#[test]
fn status_410_disables_and_keeps_the_event() {
    let step = after_attempt(started(1), first_attempt(1), status(410), start(), 0);
    let disabled = EndpointReport::Disabled(DisabledReason::Gone);
    assert_eq!(step.endpoint, Some(disabled));
    assert!(step.state.pending.contains_key(&1));
}

#[test]
fn failing_endpoint_is_reported_once_then_disabled() {
    let mut state = started(200);
    let mut reports = Vec::new();
    for hour in 0..=121 {
        let attempt = first_attempt(hour + 1);
        let now = after(Duration::from_hours(hour));
        let step = after_attempt(state, attempt, FAILURE, now, 0);
        state = step.state;
        reports.extend(step.endpoint.map(|report| (hour, report)));
    }
    let disabled = EndpointReport::Disabled(DisabledReason::Failing);
    assert_eq!(
        reports,
        [
            (1, EndpointReport::Failing { since: start() }),
            (120, disabled),
            (121, disabled)
        ]
    );
    assert_eq!(
        (REPORT_AFTER.as_secs(), DISABLE_AFTER.as_secs()),
        (3_600, 120 * 3_600)
    );
    assert_eq!(state.resume().failure_run, None);
}

#[test]
fn success_ends_the_run_of_failures() {
    let step = failed_once(started(2), start());
    let step = after_attempt(step.state, first_attempt(2), status(200), start(), 0);
    assert_eq!(step.state.failure_run, None);
}

#[test]
fn set_back_clock_delays_no_attempt() {
    let state = failed_once(started(1), start()).state;
    let year = Duration::from_hours(365 * 24);
    let year_before = start().saturating_sub(year);
    assert_eq!(state.next_due(year_before, 1), Some(year_before));
    let second_before = start().saturating_sub(Duration::from_secs(1));
    let due_at = after(Duration::from_secs(4));
    assert_eq!(
        state.next_due(second_before, 1),
        Some(due_at),
        "an ordinary correction"
    );
}

#[test]
fn clock_ahead_makes_one_attempt_early() {
    let state = failed_once(started(1), start()).state;
    let year_after = after(Duration::from_hours(365 * 24));
    let none = FeedPage::default();
    let claim = state.claim(year_after, &none, &none, 10);
    let attempt = DueAttempt {
        event: 1,
        number: 2,
    };
    assert_eq!(claim.attempts, [attempt]);
    let step = after_attempt(claim.state, attempt, FAILURE, year_after, 0);
    let due_at = year_after.saturating_add(Duration::from_mins(4));
    assert_eq!(step.delivery, DeliveryReport::RetryAt(due_at));
}

#[test]
fn full_set_stops_the_cursor() {
    let state = started(1_500);
    assert_eq!(state.pending.len(), MAX_PENDING);
    assert_eq!(state.cursor, 1_001);
    assert_eq!(state.next_due(start(), 1_500), Some(after(ATTEMPT_LEASE)));
    let step = after_attempt(state, first_attempt(5), status(200), start(), 0);
    assert_eq!(step.state.next_due(start(), 1_500), Some(start()));
    let feed = FeedPage {
        accepted: (1_001..=1_500).collect(),
        end: 1_501,
    };
    let claim = step
        .state
        .claim(start(), &feed, &FeedPage::default(), usize::MAX);
    assert_eq!(claim.attempts, [first_attempt(1_001)]);
    assert_eq!(claim.state.cursor, 1_002);
}

#[test]
fn unaccepted_events_move_the_cursor() {
    let feed = FeedPage {
        accepted: vec![3],
        end: 8,
    };
    let none = FeedPage::default();
    let claim = DeliveryState::new(1).claim(start(), &feed, &none, 10);
    assert_eq!(claim.attempts, [first_attempt(3)]);
    assert_eq!(claim.state.cursor, 8);
    assert_eq!(claim.state.claim(start(), &none, &none, 10).state.cursor, 8);
}

#[test]
fn purged_events_are_given_up() {
    let state = started(10).replay_from(2);
    let (state, given_up) = state.forget_before(5);
    assert_eq!(given_up, 4);
    assert_eq!(state.pending.len(), 6);
    assert_eq!(state.cursor, 11);
    assert_eq!(state.replay, Some(ReplayRange { next: 5, end: 11 }));
    let (state, given_up) = state.forget_before(14);
    assert_eq!(given_up, 9, "6 pending ones, and 11 to 13");
    assert_eq!(
        state,
        DeliveryState {
            replay: None,
            ..DeliveryState::new(14)
        }
    );
}

#[test]
fn idle_endpoint_is_never_due() {
    assert_eq!(DeliveryState::new(4).next_due(start(), 3), None);
    assert_eq!(DeliveryState::new(4).next_due(start(), 4), Some(start()));
}
