//! False alarms on people.

use super::address_history::{AddressHistory, layer_after_one_check};
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
    /// One-sided 95 % bound of the alarms' share of evaluated movements, clustered by person.
    pub segment_alarm_bound95: Option<f64>,
    /// Number of checks of two consecutive movements.
    pub sessions: usize,
    /// Number of checks that flag a new address.
    pub session_flags: usize,
    /// Share of people who are flagged in one context.
    pub flags_after: FlagsAfter,
}

/// Share of simulated people flagged in one context, by number of checks of their own movements.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the field names are the numbers of checks")]
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
    pub(super) with_correction: FlagsAfter,
    pub(super) without_correction: FlagsAfter,
}

/// Returns the row of all people.
pub(super) fn row(
    segments: &[RecordedMovement],
    logits: &Logits,
    people: &[CheckGroup],
    flags: &Flags,
) -> People {
    let alarms = alarms(segments, logits);
    let checks = people.iter().flat_map(|person| &person.checks);
    People {
        persons: by_maker(segments).len(),
        segments: segments.len(),
        segment_alarms: alarms.iter().map(|person| person.hits).sum(),
        segment_alarm_bound95: upper_bound(&alarms).map(rounded),
        sessions: checks.clone().count(),
        session_flags: checks
            .filter(|assessment| layer_after_one_check(assessment).flagged)
            .count(),
        flags_after: flags.with_correction,
    }
}

/// Returns the alarms of each person among the evaluated movements.
fn alarms(segments: &[RecordedMovement], logits: &Logits) -> Vec<SampleCluster> {
    let threshold = logits.thresholds.bound;
    let of = |positions: Vec<usize>| {
        let person_logits: Vec<f64> = positions
            .into_iter()
            .filter_map(|at| logits.people[at])
            .collect();
        SampleCluster {
            n: person_logits.len(),
            hits: person_logits
                .iter()
                .filter(|logit| **logit > threshold)
                .count(),
        }
    };
    by_maker(segments).into_values().map(of).collect()
}

/// Returns the largest share of alarms of one person.
pub(super) fn worst(segments: &[RecordedMovement], logits: &Logits) -> Option<f64> {
    let shares = alarms(segments, logits)
        .into_iter()
        .filter_map(|person| share(person.hits, person.n));
    shares.max_by(f64::total_cmp).map(rounded)
}

/// Returns the bound of the share of people with at least one flagging check; each person counts once.
pub(super) fn flagged_bound(people: &[CheckGroup]) -> Option<f64> {
    let is_flagged = |person: &CheckGroup| {
        person
            .checks
            .iter()
            .any(|assessment| layer_after_one_check(assessment).flagged)
    };
    let persons: Vec<SampleCluster> = people
        .iter()
        .map(|person| SampleCluster {
            n: 1,
            hits: is_flagged(person).into(),
        })
        .collect();
    upper_bound(&persons).map(rounded)
}

/// Simulates contexts of each person with checks drawn from the person's own.
pub(super) fn flags_after(people: &[CheckGroup], seed: u64) -> Flags {
    let mut rng = Rng::with_seed(seed);
    let mut with = [0; CHECKPOINTS.len()];
    let mut without = [0; CHECKPOINTS.len()];
    for person in people {
        for _ in 0..SIMULATED_CONTEXTS {
            follow(person, &mut rng, &mut with, &mut without);
        }
    }
    let shares = |counts: [usize; CHECKPOINTS.len()]| {
        let [one, five, twenty, fifty] =
            counts.map(|count| share(count, people.len() * SIMULATED_CONTEXTS));
        FlagsAfter {
            one,
            five,
            twenty,
            fifty,
        }
    };
    Flags {
        with_correction: shares(with),
        without_correction: shares(without),
    }
}

fn follow(person: &CheckGroup, rng: &mut Rng, with: &mut [usize], without: &mut [usize]) {
    let mut history = AddressHistory::new();
    let mut ever = false;
    for check in 1..=CHECKPOINTS[CHECKPOINTS.len() - 1] {
        let assessment = &person.checks[rng.usize(..person.checks.len())];
        history.check(assessment);
        ever |= layer_after_one_check(assessment).flagged;
        if let Some(look) = CHECKPOINTS.iter().position(|look| *look == check) {
            with[look] += usize::from(history.is_flagged());
            without[look] += usize::from(ever);
        }
    }
}
