//! Where the behaviour model says nothing.

use super::Behaviour;
use super::pool::{Pool, pairs};
use crate::corpus::Corpus;
use crate::corpus::pointer::Segment;
use crate::evidence::{Pointing, hand};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use voight_detect::Point;
use voight_domain::verdict::Assessment;

/// A remote desktop sends no event sooner than this after another, in ms.
const REMOTE: f64 = 40.0;
/// So many checks are made of each synthetic source.
const STREAMS: usize = 1000;

/// How often the model said nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AbstainRow {
    /// The recording, or how people's movements were changed.
    pub source: String,
    /// Checks.
    pub streams: usize,
    /// Checks of which the model said nothing.
    pub abstained: usize,
}

/// A row for each recording of people, and for each way to change them.
pub(super) fn measure(corpus: &Corpus, people: &[Pool], behaviour: &Behaviour) -> Result<Vec<AbstainRow>> {
    let mut sources: BTreeMap<&str, Vec<&Assessment>> = BTreeMap::new();
    for person in people {
        let source = person.name.split(' ').next().unwrap_or_default();
        sources.entry(source).or_default().extend(&person.checks);
    }
    let mut rows: Vec<AbstainRow> =
        sources.into_iter().map(|(source, checks)| row(source, checks.into_iter())).collect();
    let pairs: Vec<[&Segment; 2]> = pairs(&corpus.people).into_iter().map(|(_, pair)| pair).collect();
    let step = (pairs.len() / STREAMS).max(1);
    let some: Vec<[&Segment; 2]> = pairs.into_iter().step_by(step).collect();
    for (name, changed) in CHANGES {
        let judged = some.iter().map(|pair| changed(*pair, behaviour)).collect::<Result<Vec<_>>>()?;
        rows.push(row(name, judged.iter()));
    }
    Ok(rows)
}

fn row<'c>(source: &str, checks: impl ExactSizeIterator<Item = &'c Assessment>) -> AbstainRow {
    let streams = checks.len();
    AbstainRow {
        source: source.to_owned(),
        streams,
        abstained: checks.filter(|found| found.versions.model == 0).count(),
    }
}

type Changed = fn([&Segment; 2], &Behaviour) -> Result<Assessment>;

const CHANGES: [(&str, Changed); 3] =
    [("remote_desktop_synthetic", remote), ("touch_synthetic", touch), ("one_press", one_press)];

fn remote([first, second]: [&Segment; 2], behaviour: &Behaviour) -> Result<Assessment> {
    let check = hand(&thinned(first), Some(&thinned(second)), Pointing::Mouse)?;
    Ok(behaviour.assessor(first).assess(&check.evidence()))
}

fn touch([first, second]: [&Segment; 2], behaviour: &Behaviour) -> Result<Assessment> {
    let check = hand(first, Some(second), Pointing::Touch)?;
    Ok(behaviour.assessor(first).assess(&check.evidence()))
}

fn one_press([first, _]: [&Segment; 2], behaviour: &Behaviour) -> Result<Assessment> {
    let check = hand(first, None, Pointing::Mouse)?;
    Ok(behaviour.assessor(first).assess(&check.evidence()))
}

/// The movement as a remote desktop passes it on: nothing sooner than [`REMOTE`] after what came before.
fn thinned(segment: &Segment) -> Segment {
    let mut points: Vec<Point> = Vec::new();
    for point in &segment.points {
        if points.last().is_none_or(|last| point.t - last.t >= REMOTE) {
            points.push(*point);
        }
    }
    Segment { points, ..segment.clone() }
}
