//! What a judgement costs.

use super::hostile;
use super::pool::pairs;
use crate::corpus::Corpus;
use crate::evidence::{PointerKind, SyntheticCheck, check_from_movements, session};
use crate::stats::{float, quantile, rounded};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::Instant;
use voight_detect::RuleAssessor;

/// Checks that are measured of each kind.
const CHECKS: usize = 1000;
/// Times that a real check is judged; the quickest counts, because what else the machine does is no cost of a judgement.
const TIMES: usize = 5;
/// Hostile evidence takes longer, so that a quiet moment is rarer.
const HOSTILE_TIMES: usize = 25;

/// Microseconds from the stored bytes of a check to its assessment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CostUs {
    /// The middle one of real checks.
    pub p50: Option<f64>,
    /// What 99 of 100 real checks stay within.
    pub p99: Option<f64>,
    /// The dearest hostile evidence.
    pub worst: Option<f64>,
}

/// How many allocations one judgement makes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Allocations {
    /// The middle one of real checks.
    pub p50: Option<f64>,
    /// The most of a real check.
    pub most: Option<f64>,
}

/// One kind of hostile evidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HostileRow {
    /// What is in it.
    pub name: String,
    /// Microseconds to judge it.
    pub us: f64,
}

/// Judges checks of the corpus and hostile evidence, on this thread alone.
pub(super) fn measure(corpus: &Corpus, service: &RuleAssessor) -> Result<(CostUs, Allocations, Vec<HostileRow>)> {
    let checks = real(corpus)?;
    let times: Vec<f64> = checks.iter().map(|check| microseconds(check, service, TIMES)).collect();
    let allocations: Vec<f64> = checks.iter().map(|check| allocated(check, service)).collect();
    let row = |(name, check): (&str, SyntheticCheck)| HostileRow {
        name: name.to_owned(),
        us: microseconds(&check, service, HOSTILE_TIMES).round(),
    };
    let hostile: Vec<HostileRow> = hostile::checks()?.into_iter().map(row).collect();
    let worst = hostile.iter().map(|row| row.us).max_by(f64::total_cmp);
    let cost = CostUs { p50: quantile(&times, 0.5).map(rounded), p99: quantile(&times, 0.99).map(rounded), worst };
    Ok((cost, Allocations { p50: quantile(&allocations, 0.5), most: quantile(&allocations, 1.0) }, hostile))
}

/// Sessions and pairs of movements.
fn real(corpus: &Corpus) -> Result<Vec<SyntheticCheck>> {
    let movements = pairs(&corpus.people).into_iter().chain(pairs(&corpus.tools));
    let movements = movements
        .map(|(_, [first, second])| check_from_movements(first, Some(second), PointerKind::Mouse))
        .take(CHECKS);
    corpus.sessions.iter().take(CHECKS).map(|recorded| session(&recorded.record)).chain(movements).collect()
}

fn microseconds(check: &SyntheticCheck, service: &RuleAssessor, times: usize) -> f64 {
    (0..times).map(|_| time_one(check, service)).fold(f64::INFINITY, f64::min)
}

fn time_one(check: &SyntheticCheck, service: &RuleAssessor) -> f64 {
    #[expect(clippy::disallowed_methods, reason = "this measures time")]
    let start = Instant::now();
    black_box(service.assess(black_box(&check.evidence())));
    start.elapsed().as_secs_f64() * 1e6
}

fn allocated(check: &SyntheticCheck, service: &RuleAssessor) -> f64 {
    let counted = allocation_counter::measure(|| drop(black_box(service.assess(&check.evidence()))));
    float(usize::try_from(counted.count_total).unwrap_or(usize::MAX))
}
