//! Replays of transformed movements, and false matches of people who did not replay.
//!
//! Half of the people fill an index with their fingerprints; each transformation is applied to some of their movements. The
//! other people's fingerprints are searched in the same index: each match is a false one. Thresholds are those of production.

mod changes;

use crate::corpus::pointer::RecordedMovement;
use crate::stats::SampleCluster;
use changes::{blended, jittered, mirrored, turned, warped};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};
use voight_detect::{Movement, Point, evidence_schema::PointerType, movement_fingerprint};
use voight_domain::linkage::{MatchThresholds, MovementFingerprint};

/// Number of fingerprints in the index.
const INDEXED: usize = 5_000;
/// Number of fingerprints replayed per transformation, and number of strangers' fingerprints searched.
const TRIED: usize = 1_000;
const STRANGERS: usize = 5_000;
/// Standard deviation of noise, in pixels.
const NOISE: f64 = 1.0;
/// Maximum local change of the rhythm, as a share.
const WARP: f64 = 0.15;

/// Movements that were recognised at the thresholds of production, by person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Number of fingerprints in the index.
    pub indexed: usize,
    /// Rotated, scaled, and placed on whole pixels.
    pub exact: Vec<SampleCluster>,
    /// Reflected in addition.
    pub mirrored: Vec<SampleCluster>,
    /// Noise of one pixel on each event.
    pub jittered: Vec<SampleCluster>,
    /// Changed rhythm, up to 15 % faster or slower locally.
    pub warped: Vec<SampleCluster>,
    /// Mean of the movement and another one.
    pub blended: Vec<SampleCluster>,
    /// Matches of other people's movements.
    pub false_match: Vec<SampleCluster>,
    /// Number of other people's movements that were searched.
    pub strangers: usize,
}

/// Transformation of a replayed movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transformation {
    /// Rotated and scaled, on whole pixels; all others include this.
    Exact,
    /// Reflected.
    Mirrored,
    /// Noise of one pixel on each coordinate of each event.
    Jittered,
    /// Changed rhythm.
    Warped,
}

/// Returns a recorded movement as a replay with this transformation.
pub fn transform(points: &[Point], change: Transformation, rng: &mut Rng) -> Vec<Point> {
    let changed_points = match change {
        Transformation::Exact => points.to_vec(),
        Transformation::Mirrored => mirrored(points),
        Transformation::Jittered => jittered(points, NOISE, rng),
        Transformation::Warped => warped(points, WARP, rng),
    };
    turned(&changed_points, rng)
}

/// Replays people's segments, and searches other people's segments.
pub fn replay(segments: &[RecordedMovement], seed: u64) -> Replay {
    let mut rng = Rng::with_seed(seed);
    let (available, strangers) = halves(segments, &mut rng);
    let index: Vec<(&RecordedMovement, MovementFingerprint)> =
        traced(available).into_iter().take(INDEXED).collect();
    let traces: Vec<MovementFingerprint> = index.iter().map(|(_, trace)| *trace).collect();
    let limits = MatchThresholds::for_index_size(traces.len());
    let strangers: Vec<_> = traced(strangers).into_iter().take(STRANGERS).collect();
    let stranger_matches = strangers
        .iter()
        .map(|(segment, trace)| (*segment, is_known(trace, &traces, limits)));
    let mut replay_changed = |change: Option<Transformation>| {
        let tries = index.iter().step_by(index.len().div_ceil(TRIED).max(1));
        by_person(tries.filter_map(|(segment, _)| {
            let changed_points = if let Some(change) = change {
                transform(&segment.points, change, &mut rng)
            } else {
                let other_points = &index[rng.usize(..index.len())].0.points;
                turned(&blended(&segment.points, other_points), &mut rng)
            };
            trace_of(&changed_points).map(|replay| (*segment, is_known(&replay, &traces, limits)))
        }))
    };
    Replay {
        indexed: traces.len(),
        exact: replay_changed(Some(Transformation::Exact)),
        mirrored: replay_changed(Some(Transformation::Mirrored)),
        jittered: replay_changed(Some(Transformation::Jittered)),
        warped: replay_changed(Some(Transformation::Warped)),
        blended: replay_changed(None),
        false_match: by_person(stranger_matches),
        strangers: strangers.len(),
    }
}

/// Returns the fingerprint of a recorded movement.
pub fn trace_of(points: &[Point]) -> Option<MovementFingerprint> {
    movement_fingerprint(&Movement {
        pointer: PointerType::Mouse,
        points: points.to_vec(),
    })
}

/// Splits people's segments into two halves, each person in one of them.
fn halves<'a>(
    segments: &'a [RecordedMovement],
    rng: &mut Rng,
) -> (Vec<&'a RecordedMovement>, Vec<&'a RecordedMovement>) {
    let people = || segments.iter().filter(|segment| segment.human);
    let mut users: Vec<_> = people()
        .map(|segment| (&segment.source, &segment.user))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    rng.shuffle(&mut users);
    users.truncate(users.len().div_ceil(2));
    let available: BTreeSet<_> = users.into_iter().collect();
    let mut people: Vec<_> = people().collect();
    rng.shuffle(&mut people);
    people
        .into_iter()
        .partition(|segment| available.contains(&(&segment.source, &segment.user)))
}

fn traced(segments: Vec<&RecordedMovement>) -> Vec<(&RecordedMovement, MovementFingerprint)> {
    segments
        .into_iter()
        .filter_map(|segment| Some((segment, trace_of(&segment.points)?)))
        .collect()
}

fn is_known(
    trace: &MovementFingerprint,
    index: &[MovementFingerprint],
    limits: MatchThresholds,
) -> bool {
    index
        .iter()
        .any(|available| trace.matches(available, limits))
}

/// Clusters results by person, because movements of one person resemble each other.
fn by_person<'a>(replay: impl Iterator<Item = (&'a RecordedMovement, bool)>) -> Vec<SampleCluster> {
    let mut people: BTreeMap<(&str, &str), SampleCluster> = BTreeMap::new();
    for (RecordedMovement { source, user, .. }, hit) in replay {
        let person = people.entry((source, user)).or_default();
        person.n += 1;
        person.hits += usize::from(hit);
    }
    people.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::changes::tests::sample_movement;
    use crate::stats::lower_bound;

    fn people() -> Vec<RecordedMovement> {
        let of = |number: u32| RecordedMovement {
            source: "made".into(),
            user: (number % 8).to_string(),
            session: String::new(),
            human: true,
            tool: "human".into(),
            points: sample_movement(number),
        };
        (0..400).map(of).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_result() {
        let matches = replay(&people(), 3);
        assert_eq!(matches, replay(&people(), 3));
        assert!(matches.indexed > 100 && matches.strangers > 100);
        assert!(
            lower_bound(&matches.exact)
                .0
                .is_some_and(|share| share > 0.9),
            "{matches:?}"
        );
        assert_eq!(
            (matches.exact.len(), matches.false_match.len()),
            (4, 4),
            "half of the people in each half"
        );
    }

    #[test]
    fn corpus_without_people_has_no_result() {
        let bots: Vec<_> = people()
            .into_iter()
            .map(|segment| RecordedMovement {
                human: false,
                ..segment
            })
            .collect();
        let matches = replay(&bots, 1);
        assert_eq!(
            (matches.indexed, matches.exact, matches.false_match),
            (0, vec![], vec![])
        );
    }
}
