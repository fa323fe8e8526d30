//! Abstentions of the behaviour model.

use super::OutOfFoldModels;
use super::check_group::{CheckGroup, pairs};
use crate::corpus::Corpus;
use crate::corpus::pointer::RecordedMovement;
use crate::evidence::{PointerKind, check_from_movements};
use crate::parallel;
use crate::stats::{SampleCluster, rounded, upper_bound};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use voight_detect::Point;
use voight_domain::verdict::Assessment;
use voight_tests::console::bar;

/// Minimum interval of events over a remote desktop, in ms.
const REMOTE: f64 = 40.0;
/// Number of checks that are generated for each synthetic source.
const STREAMS: usize = 1000;

/// Abstention rate of one source.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AbstainRow {
    /// Recording, or the change of people's movements.
    pub source: String,
    /// Number of checks.
    pub streams: usize,
    /// Number of checks on which the model abstained.
    pub abstained: usize,
}

/// Results for all sources.
pub(super) struct Abstentions {
    pub(super) rows: Vec<AbstainRow>,
    pub(super) remote_bound95: Option<f64>,
}

/// Returns a row for each recording of people, and for each change of their movements.
pub(super) fn measure(
    corpus: &Corpus,
    people: &[CheckGroup],
    behaviour: &OutOfFoldModels,
) -> Result<Abstentions> {
    let mut rows = of_recordings(people);
    let pairs = pairs(&corpus.people);
    let step = (pairs.len() / STREAMS).max(1);
    let some: Vec<(String, [&RecordedMovement; 2])> = pairs.into_iter().step_by(step).collect();
    let mut remote_bound95 = None;
    for (name, changed) in CHANGES {
        let bar = bar(name, some.len(), "checks");
        let outcomes = parallel::map(&some, &bar, |(_, pair)| {
            changed(*pair, behaviour).map(|assessment| says_nothing(&assessment))
        });
        let silent = outcomes.into_iter().collect::<Result<Vec<bool>>>()?;
        rows.push(row(name, silent.iter().copied()));
        if name == REMOTE_DESKTOP {
            remote_bound95 = upper_bound(&spoken(&some, &silent)).map(|bound| rounded(1.0 - bound));
        }
    }
    Ok(Abstentions {
        rows,
        remote_bound95,
    })
}

fn of_recordings(people: &[CheckGroup]) -> Vec<AbstainRow> {
    let mut sources: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    for person in people {
        let source = person.name.split(' ').next().unwrap_or_default();
        sources
            .entry(source)
            .or_default()
            .extend(person.checks.iter().map(says_nothing));
    }
    sources
        .into_iter()
        .map(|(source, silent)| row(source, silent.into_iter()))
        .collect()
}

/// Counts the checks that the model evaluated, by person.
fn spoken(checks: &[(String, [&RecordedMovement; 2])], silent: &[bool]) -> Vec<SampleCluster> {
    let mut persons: BTreeMap<&str, SampleCluster> = BTreeMap::new();
    for ((maker, _), silent) in checks.iter().zip(silent) {
        let person = persons
            .entry(maker)
            .or_insert(SampleCluster { n: 0, hits: 0 });
        person.n += 1;
        person.hits += usize::from(!silent);
    }
    persons.into_values().collect()
}

fn says_nothing(assessment: &Assessment) -> bool {
    assessment.versions.model == 0
}

fn row(source: &str, silent: impl ExactSizeIterator<Item = bool>) -> AbstainRow {
    let streams = silent.len();
    AbstainRow {
        source: source.to_owned(),
        streams,
        abstained: silent.filter(|silent| *silent).count(),
    }
}

const REMOTE_DESKTOP: &str = "remote_desktop_synthetic";

type Changed = fn([&RecordedMovement; 2], &OutOfFoldModels) -> Result<Assessment>;

const CHANGES: [(&str, Changed); 3] = [
    (REMOTE_DESKTOP, remote),
    ("touch_synthetic", touch),
    ("one_press", one_press),
];

fn remote(
    [first, second]: [&RecordedMovement; 2],
    behaviour: &OutOfFoldModels,
) -> Result<Assessment> {
    let check = check_from_movements(&thinned(first), Some(&thinned(second)), PointerKind::Mouse)?;
    Ok(behaviour.assessor(first).assess(&check.evidence())?)
}

fn touch(
    [first, second]: [&RecordedMovement; 2],
    behaviour: &OutOfFoldModels,
) -> Result<Assessment> {
    let check = check_from_movements(first, Some(second), PointerKind::Touch)?;
    Ok(behaviour.assessor(first).assess(&check.evidence())?)
}

fn one_press(
    [first, _]: [&RecordedMovement; 2],
    behaviour: &OutOfFoldModels,
) -> Result<Assessment> {
    let check = check_from_movements(first, None, PointerKind::Mouse)?;
    Ok(behaviour.assessor(first).assess(&check.evidence())?)
}

/// Returns the movement as over a remote desktop: events closer than [`REMOTE`] are dropped.
fn thinned(segment: &RecordedMovement) -> RecordedMovement {
    let mut points: Vec<Point> = Vec::new();
    for point in &segment.points {
        if points.last().is_none_or(|last| point.t - last.t >= REMOTE) {
            points.push(*point);
        }
    }
    RecordedMovement {
        points,
        ..segment.clone()
    }
}
