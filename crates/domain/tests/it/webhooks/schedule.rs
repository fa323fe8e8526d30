//! Schedule of retries over five days of a virtual clock.

use super::{TIMEOUT, answered, read_pages, start};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::time::Duration;
use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::{
    AttemptOutcome, DISABLE_AFTER, DeliveryReport, DeliveryState, DisabledReason, EndpointReport,
    RetrySchedule, after_attempt,
};

/// Time that a request to the receiver takes until its timeout.
const REQUEST: Duration = Duration::from_secs(15);

/// Deliveries to one receiver, one attempt after the other.
struct Receiver {
    rng: Rng,
    now: Timestamp,
    state: DeliveryState,
    newest: u64,
    /// Begin of each attempt by its event.
    attempts: BTreeMap<u64, Vec<Timestamp>>,
    reports: Vec<(Timestamp, EndpointReport)>,
    given_up: BTreeMap<u64, Timestamp>,
    delivered: Vec<u64>,
}

impl Receiver {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed),
            now: start(),
            state: DeliveryState::new(1),
            newest: 1,
            attempts: BTreeMap::new(),
            reports: Vec::new(),
            given_up: BTreeMap::new(),
            delivered: Vec::new(),
        }
    }

    /// Makes all attempts that are due before `end`.
    fn run_until(&mut self, end: Timestamp, outcome: AttemptOutcome) {
        while let Some(due_at) = self.state.next_due(self.now, self.newest) {
            if due_at >= end {
                break;
            }
            self.now = self.now.max(due_at);
            self.attempt(outcome);
        }
        self.now = self.now.max(end);
    }

    fn attempt(&mut self, outcome: AttemptOutcome) {
        let state = std::mem::take(&mut self.state);
        let [feed, replayed] = read_pages(&state, self.newest, |_| true);
        let claim = state.claim(self.now, &feed, &replayed, 1);
        self.state = claim.state;
        for attempt in claim.attempts {
            let begin = self.now;
            self.attempts.entry(attempt.event).or_default().push(begin);
            let end = begin.saturating_add(REQUEST);
            let random = self.rng.u32(..);
            let state = std::mem::take(&mut self.state);
            let step = after_attempt(state, attempt, outcome, end, random);
            self.state = step.state;
            self.reports
                .extend(step.endpoint.map(|report| (end, report)));
            match step.delivery {
                DeliveryReport::GivenUp => drop(self.given_up.insert(attempt.event, end)),
                DeliveryReport::Delivered => self.delivered.push(attempt.event),
                DeliveryReport::RetryAt(_) | DeliveryReport::Superseded => {}
            }
        }
    }
}

fn hours(count: u64) -> Timestamp {
    start().saturating_add(Duration::from_hours(count))
}

/// Requires that the gaps between the attempts of an event follow the schedule within 20 %.
///
/// Attempts begin when they are due, because the others end long before.
fn assert_schedule(attempts: &[Timestamp]) {
    for (index, pair) in attempts.windows(2).enumerate() {
        let wait = pair[1].saturating_since(pair[0].saturating_add(REQUEST));
        let delay = RetrySchedule::DELAYS[index + 1];
        assert!(wait >= delay * 4 / 5, "attempt {}: {wait:?}", index + 2);
        assert!(wait <= delay * 6 / 5, "attempt {}: {wait:?}", index + 2);
    }
}

#[test]
fn dead_receiver_gets_ten_attempts_in_three_days() {
    for seed in 0..100 {
        let mut receiver = Receiver::new(seed);
        receiver.run_until(hours(5 * 24), TIMEOUT);
        let attempts = &receiver.attempts[&1];
        assert_eq!(attempts.len(), RetrySchedule::DELAYS.len());
        assert_eq!(attempts[0], start());
        assert_schedule(attempts);
        let total: Duration = RetrySchedule::DELAYS.iter().sum();
        let requests = REQUEST * 10;
        let duration = receiver.given_up[&1].saturating_since(start().saturating_add(requests));
        assert!(duration >= total * 4 / 5 && duration <= total * 6 / 5);
        assert_eq!(receiver.state.next_due(receiver.now, 1), None);
    }
}

#[test]
fn five_days_of_failures_disable_the_endpoint() {
    let mut receiver = Receiver::new(1);
    // An event every seven hours, so that attempts continue after the first one is given up.
    for hour in (7..=7 * 20).step_by(7) {
        receiver.run_until(hours(hour), TIMEOUT);
        receiver.newest += 1;
    }
    let is_disabled =
        |report: &EndpointReport| *report == EndpointReport::Disabled(DisabledReason::Failing);
    let disabled_at = receiver
        .reports
        .iter()
        .find(|(_, report)| is_disabled(report));
    let (disabled_at, _) = disabled_at.expect("a report");
    let first_failure = start().saturating_add(REQUEST);
    let duration = disabled_at.saturating_since(first_failure);
    assert!(duration >= DISABLE_AFTER, "{duration:?}");
    assert!(
        duration < DISABLE_AFTER + Duration::from_hours(7),
        "{duration:?}"
    );
    let failing = EndpointReport::Failing {
        since: first_failure,
    };
    assert_eq!(receiver.reports[0].1, failing);
    let later_reports = &receiver.reports[1..];
    assert!(later_reports.iter().all(|(_, report)| is_disabled(report)));
    // The schedule of a later event runs beside that of the others.
    for attempts in receiver.attempts.values() {
        assert!(attempts.len() <= 10);
    }
    // Resumed, the endpoint gets everything that is not given up.
    receiver.state = receiver.state.resume();
    receiver.run_until(hours(24 * 20), answered(200));
    let mut ended: Vec<_> = receiver.delivered.clone();
    ended.extend(receiver.given_up.keys());
    ended.sort_unstable();
    assert_eq!(ended, (1..=receiver.newest).collect::<Vec<_>>());
}

#[test]
fn receiver_that_was_down_for_two_days_misses_nothing() {
    for seed in 0..50 {
        let mut receiver = Receiver::new(seed);
        receiver.newest = 30;
        receiver.run_until(hours(48), TIMEOUT);
        assert!(receiver.given_up.is_empty());
        receiver.run_until(hours(5 * 24), answered(200));
        receiver.delivered.sort_unstable();
        assert_eq!(receiver.delivered, (1..=30).collect::<Vec<_>>());
        assert_eq!(receiver.state.failure_run, None);
    }
}
