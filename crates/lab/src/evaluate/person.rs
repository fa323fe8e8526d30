//! People: how often they are taken for bots.

use super::behaviour::Logits;
use super::life::{AddressHistory, alone};
use super::pool::{CheckGroup, by_maker};
use crate::corpus::pointer::RecordedMovement;
use crate::stats::{SampleCluster, rounded, share, upper_bound};
use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// Contexts that each person is followed through.
const SIMULATED_CONTEXTS: usize = 200;
/// After so many checks it is looked whether a person is flagged.
const CHECKPOINTS: [usize; 4] = [1, 5, 20, 50];

/// What became of people.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct People {
    /// How many people.
    pub persons: usize,
    /// How many movements.
    pub segments: usize,
    /// Movements whose log-odds lie over the training report's threshold at which the upper bound of false alarms is 1 %.
    pub segment_alarms: usize,
    /// The one-sided 95 % bound of their share among movements that the model judged, clustered by person.
    pub segment_alarm_bound95: Option<f64>,
    /// Checks of two movements, one after the other.
    pub sessions: usize,
    /// How many of them alone flag an address.
    pub session_flags: usize,
    /// The share of people who are flagged in one context.
    pub flags_after: FlagsAfter,
}

/// The share of simulated people flagged in one context after so many checks of their own movements.
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

/// With the certainty that later checks have to add, and without.
pub(super) struct Flags {
    pub(super) with_spread: FlagsAfter,
    pub(super) without_spread: FlagsAfter,
}

/// The row of all people.
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

/// The alarms of each person among the movements that were judged.
fn alarms(segments: &[RecordedMovement], logits: &Logits) -> Vec<SampleCluster> {
    let threshold = logits.thresholds.bound;
    let of = |places: Vec<usize>| {
        let judged: Vec<f64> = places.into_iter().filter_map(|at| logits.people[at]).collect();
        SampleCluster { n: judged.len(), hits: judged.iter().filter(|logit| **logit > threshold).count() }
    };
    by_maker(segments).into_values().map(of).collect()
}

/// The share of alarms of the person with the most.
pub(super) fn worst(segments: &[RecordedMovement], logits: &Logits) -> Option<f64> {
    let shares = alarms(segments, logits).into_iter().filter_map(|person| share(person.hits, person.n));
    shares.max_by(f64::total_cmp).map(rounded)
}

/// The bound of the share of people whom any of their checks flags: a person counts as one.
pub(super) fn flagged_bound(people: &[CheckGroup]) -> Option<f64> {
    let flagged = |person: &CheckGroup| person.checks.iter().any(|found| alone(found).flagged);
    let persons: Vec<SampleCluster> =
        people.iter().map(|person| SampleCluster { n: 1, hits: flagged(person).into() }).collect();
    upper_bound(&persons).map(rounded)
}

/// Follows each person through contexts of their own, by checks drawn from those that they made.
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
