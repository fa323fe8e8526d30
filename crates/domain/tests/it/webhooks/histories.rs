//! Random histories of one endpoint: no event is lost, and the state stays within its bound.

use super::{TIMEOUT, answered, read_pages, start};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::time::Duration;
use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::{
    AttemptOutcome, DeliveryReport, DeliveryState, DueAttempt, MAX_PENDING, after_attempt,
};
use voight_support::tier;

/// Every third event is not accepted by the filter.
fn is_accepted(event: u64) -> bool {
    !event.is_multiple_of(3)
}

/// Durable state: a crash does not change it.
#[derive(Clone)]
struct Stored {
    state: DeliveryState,
    given_up: BTreeSet<u64>,
}

/// Service, clock, feed and receiver.
struct Simulation {
    rng: Rng,
    now: Timestamp,
    newest: u64,
    stored: Stored,
    current: Stored,
    /// Attempts without an outcome.
    attempts: Vec<DueAttempt>,
    is_receiver_up: bool,
    /// Events that the receiver has answered with a success.
    delivered: BTreeSet<u64>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let stored = Stored {
            state: DeliveryState::new(1),
            given_up: BTreeSet::new(),
        };
        Self {
            rng: Rng::with_seed(seed),
            now: start(),
            newest: 0,
            stored: stored.clone(),
            current: stored,
            attempts: Vec::new(),
            is_receiver_up: true,
            delivered: BTreeSet::new(),
        }
    }

    fn take_random_step(&mut self) {
        match self.rng.u8(..100) {
            0..10 => self.newest += self.rng.u64(..60),
            10 => self.newest += 1_500,
            11..35 => self.claim(),
            35..75 => self.finish_random_attempt(),
            75..85 => self.stored = self.current.clone(),
            85..91 => self.let_time_pass(),
            91 => self.set_clock(),
            92 => self.is_receiver_up = !self.is_receiver_up,
            93 => self.survive_outage(),
            94 => self.replay_event(),
            95 => self.replay_from(),
            _ => self.crash(),
        }
    }

    fn claim(&mut self) {
        let state = self.current.state.clone();
        let [feed, replayed] = read_pages(&state, self.newest, is_accepted);
        let limit = if self.rng.bool() { 64 } else { 5_000 };
        let claim = state.claim(self.now, &feed, &replayed, limit);
        assert!(claim.attempts.len() <= limit);
        self.attempts.extend(claim.attempts);
        self.current.state = claim.state;
    }

    fn finish_random_attempt(&mut self) {
        for _ in 0..self.rng.usize(..20) {
            if self.attempts.is_empty() {
                return;
            }
            let index = self.rng.usize(..self.attempts.len());
            let attempt = self.attempts.swap_remove(index);
            let outcome = self.outcome();
            self.finish(attempt, outcome);
        }
    }

    fn outcome(&mut self) -> AttemptOutcome {
        if self.is_receiver_up && self.rng.u8(..20) > 0 {
            return answered(200);
        }
        let failures = [TIMEOUT, answered(301), answered(429), answered(500)];
        failures[self.rng.usize(..failures.len())]
    }

    fn finish(&mut self, attempt: DueAttempt, outcome: AttemptOutcome) {
        assert!(is_accepted(attempt.event) && attempt.event <= self.newest);
        if outcome.is_success() {
            self.delivered.insert(attempt.event);
        }
        let random = self.rng.u32(..);
        let state = std::mem::take(&mut self.current.state);
        let step = after_attempt(state, attempt, outcome, self.now, random);
        self.current.state = step.state;
        match step.delivery {
            DeliveryReport::GivenUp => {
                self.current.given_up.insert(attempt.event);
            }
            DeliveryReport::Delivered => assert!(outcome.is_success()),
            DeliveryReport::RetryAt(due_at) => assert!(due_at > self.now),
            DeliveryReport::Superseded => {}
        }
    }

    fn crash(&mut self) {
        self.current = self.stored.clone();
        self.attempts.clear();
    }

    fn let_time_pass(&mut self) {
        let seconds = [1, 60, 600, 7_200, 100_000];
        let longest_pause = seconds[self.rng.usize(..seconds.len())];
        let pause = self.rng.u64(..longest_pause);
        self.now = self.now.saturating_add(Duration::from_secs(pause));
    }

    /// Lets every attempt fail for longer than the schedule lasts.
    fn survive_outage(&mut self) {
        for _ in 0..10 {
            self.claim();
            for attempt in std::mem::take(&mut self.attempts) {
                self.finish(attempt, TIMEOUT);
            }
            self.now = self.now.saturating_add(Duration::from_hours(30));
        }
    }

    /// Sets the clock by up to a week in either direction.
    fn set_clock(&mut self) {
        let correction = Duration::from_secs(self.rng.u64(..7 * 86_400));
        self.now = if self.rng.bool() {
            self.now.saturating_add(correction)
        } else {
            self.now.saturating_sub(correction)
        };
    }

    fn replay_event(&mut self) {
        let event = self.rng.u64(..=self.newest + 5);
        if is_accepted(event) && event > 0 {
            let state = self.current.state.clone();
            if let Ok(state) = state.replay_event(event, self.now) {
                self.current.state = state;
            }
        }
    }

    fn replay_from(&mut self) {
        let first = self.rng.u64(1..=self.newest + 5);
        let state = std::mem::take(&mut self.current.state);
        self.current.state = state.replay_from(first);
    }

    /// Runs until nothing is due, with a receiver that accepts everything.
    fn drain(&mut self) {
        let mut rounds = 0;
        loop {
            for attempt in std::mem::take(&mut self.attempts) {
                self.finish(attempt, answered(200));
            }
            let Some(due_at) = self.current.state.next_due(self.now, self.newest) else {
                return;
            };
            self.now = self.now.max(due_at);
            self.claim();
            rounds += 1;
            assert!(rounds < 10_000, "the deliveries do not end");
        }
    }

    /// Requires that every event is delivered, given up, pending, or not before the cursor.
    fn assert_nothing_is_lost(&self, seed: u64) {
        for stored in [&self.stored, &self.current] {
            let Stored { state, given_up } = stored;
            assert!(state.pending.len() <= MAX_PENDING, "seed {seed}");
            for event in (1..self.newest.saturating_add(1).min(state.cursor))
                .filter(|event| is_accepted(*event))
            {
                let is_safe = self.delivered.contains(&event)
                    || given_up.contains(&event)
                    || state.pending.contains_key(&event);
                assert!(is_safe, "seed {seed}: event {event} is lost in {state:?}");
            }
        }
    }
}

#[test]
fn no_history_loses_an_event_or_exceeds_the_bound() {
    let mut reached_bounds = 0;
    let mut given_up_count = 0;
    for seed in 0..tier::volume(20, 1_000) {
        let seed = u64::try_from(seed).unwrap();
        let mut simulation = Simulation::new(seed);
        for number in 0..400 {
            simulation.take_random_step();
            if number % 4 == 0 {
                simulation.assert_nothing_is_lost(seed);
            }
            reached_bounds += usize::from(!simulation.current.state.has_capacity());
        }
        simulation.drain();
        simulation.assert_nothing_is_lost(seed);
        let state = &simulation.current.state;
        assert!(state.pending.is_empty() && state.replay.is_none());
        assert_eq!(state.cursor, simulation.newest + 1);
        given_up_count += simulation.current.given_up.len();
    }
    assert!(reached_bounds > 0, "no history reaches the bound");
    assert!(given_up_count > 0, "no history gives an event up");
}
