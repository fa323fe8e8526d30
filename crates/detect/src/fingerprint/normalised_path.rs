//! Movement that is cleaned and normalised to lead from (0, 0) to (1, 0).

use crate::movement::Point;

/// Minimum number of events of a fingerprint.
const MIN_EVENTS: usize = 14;
/// Minimum distance from the start to the press, in pixels.
const MIN_LENGTH_PX: f64 = 60.0;
/// Number of smoothing passes: each moves a position half-way to the mean of its neighbours, which removes pixel noise.
const SMOOTHING_PASSES: usize = 2;

/// Positions of a movement, in units of its length and along it.
pub(super) struct NormalisedPath {
    pub(super) places: Vec<Point>,
}

impl NormalisedPath {
    /// Normalises the path of these events; `None` if they are too few, too near or not finite.
    pub(super) fn from_points(points: &[Point]) -> Option<Self> {
        let first = points.first()?;
        let last = points.last()?;
        let dx = last.x - first.x;
        let dy = last.y - first.y;
        let squared_length = dx * dx + dy * dy;
        let sound = points
            .iter()
            .all(|point| point.t.is_finite() && point.x.is_finite() && point.y.is_finite());
        if points.len() < MIN_EVENTS
            || !sound
            || !squared_length.is_finite()
            || squared_length < MIN_LENGTH_PX * MIN_LENGTH_PX
        {
            return None;
        }
        let normalise = |point: &Point| {
            let x = point.x - first.x;
            let y = point.y - first.y;
            Point {
                t: point.t - first.t,
                x: (x * dx + y * dy) / squared_length,
                y: (y * dx - x * dy) / squared_length,
            }
        };
        let mut places: Vec<Point> = moved(points).map(normalise).collect();
        for _ in 0..SMOOTHING_PASSES {
            smooth(&mut places);
        }
        (places.len() > 2).then_some(Self { places })
    }

    /// Returns the share of the time that had passed at each position.
    pub(super) fn shares_of_time(&self) -> Vec<f64> {
        // A clock that goes back does not reduce the share.
        let latest = |latest: &mut f64, point: &Point| {
            *latest = latest.max(point.t);
            Some(*latest)
        };
        shares(self.places.iter().scan(0.0, latest).collect())
    }

    /// Returns the share of the path that was completed at each position.
    pub(super) fn shares_of_length(&self) -> Vec<f64> {
        let step = |pair: &[Point]| (pair[1].x - pair[0].x).hypot(pair[1].y - pair[0].y);
        let sum = |sum: &mut f64, step| {
            *sum += step;
            Some(*sum)
        };
        shares(
            [0.0]
                .into_iter()
                .chain(self.places.windows(2).map(step).scan(0.0, sum))
                .collect(),
        )
    }
}

/// Returns the events at which the position of the pointer changed.
fn moved(points: &[Point]) -> impl Iterator<Item = &Point> {
    let previous_points = [None].into_iter().chain(points.iter().map(Some));
    let is_elsewhere = |(point, previous_points): &(&Point, Option<&Point>)| {
        previous_points.is_none_or(|previous| (point.x, point.y) != (previous.x, previous.y))
    };
    points
        .iter()
        .zip(previous_points)
        .filter(is_elsewhere)
        .map(|(point, _)| point)
}

fn smooth(places: &mut [Point]) {
    let Some(mut previous) = places.first().copied() else {
        return;
    };
    for at in 1..places.len().saturating_sub(1) {
        let current = places[at];
        let next = places[at + 1];
        places[at].x = (previous.x + 2.0 * current.x + next.x) / 4.0;
        places[at].y = (previous.y + 2.0 * current.y + next.y) / 4.0;
        previous = current;
    }
}

/// Converts non-decreasing numbers to shares of the last; all 0 if that is 0.
fn shares(mut numbers: Vec<f64>) -> Vec<f64> {
    let total = numbers
        .last()
        .copied()
        .filter(|length| *length > 0.0)
        .unwrap_or(1.0);
    for number in &mut numbers {
        *number /= total;
    }
    numbers
}
