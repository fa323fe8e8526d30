//! Clock jumps while deliveries are pending.

use super::super::cases;
use super::{claim, conclude, create, due, events};
use crate::fixture::Fixture;
use crate::generate::answered;
use std::collections::BTreeSet;
use std::time::Duration;
use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::{ATTEMPT_LEASE, DeliveryLane, DeliveryReport};

cases![clock_jump_delays_no_longer];

/// Interval of two reads of the due endpoints.
const STEP: Duration = Duration::from_mins(5);

/// Direction of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Jump {
    Ahead,
    Back,
}

/// Jumps of an hour and of a day, in both directions, while a retry is due later, a worker has crashed, and an event is unread.
fn clock_jump_delays_no_longer(fixture: &mut Fixture) {
    for jump in [Jump::Ahead, Jump::Back] {
        for hours in [1, 24] {
            assert_jump_loses_nothing(fixture, jump, Duration::from_hours(hours));
        }
    }
}

/// Asserts that each event is delivered once, not later than the length of a jump back and two steps.
fn assert_jump_loses_nothing(fixture: &Fixture, jump: Jump, length: Duration) {
    let account = fixture.account();
    let names = [(); 3].map(|()| create(fixture, &account));
    let [failing, crashed, _unread] = names;
    fixture.key(&account.client);
    let event = events(fixture, account.client.id).len() as u64;
    let attempts = claim(fixture, failing, 1);
    conclude(fixture, failing, &attempts, answered(500));
    assert_eq!(claim(fixture, crashed, 1).len(), 1);
    let [now, deadline] = after_jump(fixture.now(), jump, length);
    fixture.clock.set(now);
    let mut delivered_names = BTreeSet::new();
    while delivered_names.len() < names.len() {
        assert!(
            fixture.now() <= deadline,
            "{delivered_names:?} of {names:?} after a jump {jump:?} by {length:?}"
        );
        for name in DeliveryLane::ALL.map(|lane| due(fixture, lane)).concat() {
            let attempts = claim(fixture, name, 10);
            let delivered_events: Vec<_> = attempts.iter().map(|attempt| attempt.event).collect();
            assert_eq!(delivered_events, [event]);
            let reports = conclude(fixture, name, &attempts, answered(200));
            assert_eq!(reports, [DeliveryReport::Delivered]);
            assert!(delivered_names.insert(name), "delivered twice");
        }
        fixture.clock.advance(STEP);
    }
    fixture.clock.advance(length + ATTEMPT_LEASE);
    for lane in DeliveryLane::ALL {
        assert_eq!(due(fixture, lane), [], "after all deliveries");
    }
}

/// Returns the time after a jump, and the time until which every event must be delivered.
fn after_jump(now: Timestamp, jump: Jump, length: Duration) -> [Timestamp; 2] {
    match jump {
        Jump::Ahead => [now.saturating_add(length); 2],
        Jump::Back => [now.saturating_sub(length), now.saturating_add(STEP + STEP)],
    }
}
