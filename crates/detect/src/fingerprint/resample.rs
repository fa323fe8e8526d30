//! Sampling of a path at equal shares.

use super::normalised_path::NormalisedPath;

/// Number of samples of a path.
pub(super) const SAMPLES: usize = 48;

/// Deviation of a movement from an even one in a straight line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deviation {
    /// Distance ahead along the line.
    pub(super) ahead: f64,
    /// Distance to the side.
    pub(super) aside: f64,
    /// Excess of the share of the time.
    pub(super) late: f64,
}

/// Samples a path at the middles of 48 equal parts of `shares`, which are of the time or of the length.
///
/// `time` holds the shares of the time.
pub(super) fn resample(path: &NormalisedPath, shares: &[f64], time: &[f64]) -> Vec<Deviation> {
    let last = path.places.len().saturating_sub(2);
    let mut at = 0;
    let look = |middle: f64| {
        while at < last && shares[at + 1] < middle {
            at += 1;
        }
        let from = shares[at];
        let to = shares[at + 1];
        let part = if to > from {
            ((middle - from) / (to - from)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let between = |from: f64, to: f64| from + (to - from) * part;
        let start = path.places[at];
        let end = path.places[at + 1];
        Deviation {
            ahead: between(start.x, end.x) - middle,
            aside: between(start.y, end.y),
            late: between(time[at], time[at + 1]) - middle,
        }
    };
    middles().map(look).collect()
}

/// Returns the middles of 48 equal parts of 1.
pub(super) fn middles() -> impl Iterator<Item = f64> {
    let sample_count = f64::from(u32::try_from(SAMPLES).unwrap_or(u32::MAX));
    (0..SAMPLES).scan(0.5, move |next, _| {
        let middle = *next / sample_count;
        *next += 1.0;
        Some(middle)
    })
}
