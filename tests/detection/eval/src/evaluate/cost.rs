//! Cost of an assessment.

use super::adversarial;
use super::check_group::pairs;
use crate::corpus::Corpus;
use crate::evidence::{PointerKind, SyntheticCheck, check_from_movements, session};
use crate::stats::{float, quantile, rounded};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::Instant;
use voight_detect::RuleAssessor;

/// Number of checks that are measured of each kind.
const CHECKS: usize = 1000;
/// Repetitions for a real check. The fastest counts, to exclude other load of the machine.
const TIMES: usize = 5;
/// Repetitions for hostile evidence, which takes longer, so that an undisturbed run is rarer.
const HOSTILE_TIMES: usize = 25;

/// Microseconds from the stored bytes of a check to its assessment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CostUs {
    /// Median of real checks.
    pub p50: Option<f64>,
    /// p99 of real checks.
    pub p99: Option<f64>,
    /// Maximum of the hostile evidence.
    pub worst: Option<f64>,
}

/// Number of allocations of one assessment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Allocations {
    /// Median of real checks.
    pub p50: Option<f64>,
    /// Maximum of real checks.
    pub maximum: Option<f64>,
}

/// Kind of hostile evidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HostileRow {
    /// Description of its contents.
    pub name: String,
    /// Microseconds of an assessment.
    pub microseconds: f64,
}

/// Evaluates checks of the corpus and hostile evidence on this thread only.
pub(super) fn measure(
    corpus: &Corpus,
    service: &RuleAssessor,
) -> Result<(CostUs, Allocations, Vec<HostileRow>)> {
    let checks = real(corpus)?;
    let times: Vec<f64> = checks
        .iter()
        .map(|check| microseconds(check, service, TIMES))
        .collect();
    let allocations: Vec<f64> = checks
        .iter()
        .map(|check| allocated(check, service))
        .collect();
    let row = |(name, check): (&str, SyntheticCheck)| HostileRow {
        name: name.to_owned(),
        microseconds: microseconds(&check, service, HOSTILE_TIMES).round(),
    };
    let hostile: Vec<HostileRow> = adversarial::checks()?.into_iter().map(row).collect();
    let worst = hostile
        .iter()
        .map(|row| row.microseconds)
        .max_by(f64::total_cmp);
    let cost = CostUs {
        p50: quantile(&times, 0.5).map(rounded),
        p99: quantile(&times, 0.99).map(rounded),
        worst,
    };
    Ok((
        cost,
        Allocations {
            p50: quantile(&allocations, 0.5),
            maximum: quantile(&allocations, 1.0),
        },
        hostile,
    ))
}

/// Returns sessions and pairs of movements as checks.
fn real(corpus: &Corpus) -> Result<Vec<SyntheticCheck>> {
    let movements = pairs(&corpus.people)
        .into_iter()
        .chain(pairs(&corpus.tools));
    let movements = movements
        .map(|(_, [first, second])| check_from_movements(first, Some(second), PointerKind::Mouse))
        .take(CHECKS);
    corpus
        .sessions
        .iter()
        .take(CHECKS)
        .map(|recording| session(&recording.record))
        .chain(movements)
        .collect()
}

fn microseconds(check: &SyntheticCheck, service: &RuleAssessor, times: usize) -> f64 {
    (0..times)
        .map(|_| time_one(check, service))
        .fold(f64::INFINITY, f64::min)
}

fn time_one(check: &SyntheticCheck, service: &RuleAssessor) -> f64 {
    #[expect(clippy::disallowed_methods, reason = "the cost is a duration")]
    let start = Instant::now();
    let _ = black_box(service.assess(black_box(&check.evidence())));
    start.elapsed().as_secs_f64() * 1e6
}

fn allocated(check: &SyntheticCheck, service: &RuleAssessor) -> f64 {
    let allocations =
        allocation_counter::measure(|| drop(black_box(service.assess(&check.evidence()))));
    float(usize::try_from(allocations.count_total).unwrap_or(usize::MAX))
}
