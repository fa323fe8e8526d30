//! False alarms on people.

use super::address_history::{AddressHistory, alone};
use super::check_group::{CheckGroup, by_maker};
use super::out_of_fold::Logits;
use crate::corpus::pointer::RecordedMovement;
use crate::stats::{SampleCluster, rounded, share, upper_bound};
use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// Number of simulated contexts for each person.
const SIMULATED_CONTEXTS: usize = 200;
/// Numbers of checks after which flags are counted.
const CHECKPOINTS: [usize; 4] = [1, 5, 20, 50];

/// Results of people.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct People {
    /// Number of people.
    pub persons: usize,
    /// Number of movements.
    pub segments: usize,
    /// Movements above the log-odds threshold of the training report whose false-alarm upper bound is 1 %.
    pub segment_alarms: usize,
    /// One-sided 95 % bound of the alarms' share of judged movements, clustered by person.
    pub segment_alarm_bound95: Option<f64>,
    /// Number of checks of two consecutive movements.
    pub sessions: usize,
    /// Number of checks that alone flag an address.
    pub session_flags: usize,
    /// Share of people who are flagged in one context.
    pub flags_after: FlagsAfter,
}

/// Share of simulated people flagged in one context, by number of checks of their own movements.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the numbers of checks")]
pub struct FlagsAfter {
    #[serde(rename = "1")]
    pub one: Option<f64>,
    #[serde(rename = "5")]
    pub five: Option<f64>,
    #[serde(rename = "20")]
    pub twenty: Option<f64>,
    #[serde(rename = "50")]
    pub fifty: Option<f64>,
}

/// Flags with and without the multiple-testing correction over checks.
pub(super) struct Flags {
    pub(super) with_spread: FlagsAfter,
    pub(super) without_spread: FlagsAfter,
}

/// Returns the row of all people.
pub(super) fn row(segments: &[RecordedMovement], logits: &Logits, people: &[CheckGroup], flags: &Flags) -> People {
    let alarms = alarms(segments, logits);
    let checks = people.iter().flat_map(|person| &person.checks);
    People {
        persons: by_maker(segments).len(),
        segments: segments.len(),
        segment_alarms: alarms.iter().map(|person| person.hits).sum(),
        segment_alarm_bound95: upper_bound(&alarms).map(rounded),
        sessions: checks.clone().count(),
        session_flags: checks.filter(|found| alone(found).flagged).count(),
        flags_after: flags.with_spread,
    }
}

/// Returns the alarms of each person among the judged movements.
fn alarms(segments: &[RecordedMovement], logits: &Logits) -> Vec<SampleCluster> {
    let threshold = logits.thresholds.bound;
    let of = |places: Vec<usize>| {
        let judged: Vec<f64> = places.into_iter().filter_map(|at| logits.people[at]).collect();
        SampleCluster { n: judged.len(), hits: judged.iter().filter(|logit| **logit > threshold).count() }
    };
    by_maker(segments).into_values().map(of).collect()
}

/// Returns the largest share of alarms of one person.
pub(super) fn worst(segments: &[RecordedMovement], logits: &Logits) -> Option<f64> {
    let shares = alarms(segments, logits).into_iter().filter_map(|person| share(person.hits, person.n));
    shares.max_by(f64::total_cmp).map(rounded)
}

/// Returns the bound of the share of people whom any of their checks flags; each person counts once.
pub(super) fn flagged_bound(people: &[CheckGroup]) -> Option<f64> {
    let flagged = |person: &CheckGroup| person.checks.iter().any(|found| alone(found).flagged);
    let persons: Vec<SampleCluster> =
        people.iter().map(|person| SampleCluster { n: 1, hits: flagged(person).into() }).collect();
    upper_bound(&persons).map(rounded)
}

/// Simulates contexts of each person with checks drawn from the person's own.
pub(super) fn flags_after(people: &[CheckGroup], seed: u64) -> Flags {
    let mut rng = Rng::with_seed(seed);
    let (mut with, mut without) = ([0; CHECKPOINTS.len()], [0; CHECKPOINTS.len()]);
    for person in people {
        for _ in 0..SIMULATED_CONTEXTS {
            follow(person, &mut rng, &mut with, &mut without);
        }
    }
    let shares = |counts: [usize; CHECKPOINTS.len()]| {
        let [one, five, twenty, fifty] = counts.map(|count| share(count, people.len() * SIMULATED_CONTEXTS));
        FlagsAfter { one, five, twenty, fifty }
    };
    Flags { with_spread: shares(with), without_spread: shares(without) }
}

fn follow(person: &CheckGroup, rng: &mut Rng, with: &mut [usize], without: &mut [usize]) {
    let (mut life, mut ever) = (AddressHistory::new(), false);
    for check in 1..=CHECKPOINTS[CHECKPOINTS.len() - 1] {
        let found = &person.checks[rng.usize(..person.checks.len())];
        life.check(found);
        ever |= alone(found).flagged;
        if let Some(look) = CHECKPOINTS.iter().position(|look| *look == check) {
            with[look] += usize::from(life.is_flagged());
            without[look] += usize::from(ever);
        }
    }
}
