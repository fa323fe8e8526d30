//! Positions of the targets, drawn by the server.

/// Minimum distance between the centres of the two targets, in CSS pixels.
pub const MIN_DISTANCE: f64 = 150.0;

/// Position of a target in the stage, as fractions (0 to 1) of the free area beside the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TargetPosition {
    /// Fraction from left to right.
    pub x: f64,
    /// Fraction from top to bottom.
    pub y: f64,
}

/// Sizes that the window rendered, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageSize {
    /// Width of the stage.
    pub width: f64,
    /// Height of the stage.
    pub height: f64,
    /// Width of a target.
    pub target_width: f64,
    /// Height of a target.
    pub target_height: f64,
}

impl TargetPosition {
    /// Returns the position from four random bytes: two big-endian 16-bit fractions.
    pub fn from_random(bytes: [u8; 4]) -> Self {
        let [a, b, c, d] = bytes;
        let fraction = |high, low| f64::from(u16::from_be_bytes([high, low])) / f64::from(u16::MAX);
        Self {
            x: fraction(a, b),
            y: fraction(c, d),
        }
    }

    /// Returns the position rounded to four decimals, as on the wire.
    #[must_use]
    pub fn rounded(self) -> Self {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        Self {
            x: round(self.x),
            y: round(self.y),
        }
    }
}

impl StageSize {
    /// Returns the free area beside a target, never negative.
    fn free_area(&self) -> (f64, f64) {
        (
            (self.width - self.target_width).max(0.0),
            (self.height - self.target_height).max(0.0),
        )
    }

    /// Returns the top left corner of a target at `place`, relative to the stage.
    pub fn corner(&self, place: TargetPosition) -> (f64, f64) {
        let (x, y) = self.free_area();
        (place.x * x, place.y * y)
    }

    /// Returns the distance between the centres of targets at two positions.
    pub fn distance(&self, a: TargetPosition, b: TargetPosition) -> f64 {
        let (ax, ay) = self.corner(a);
        let (bx, by) = self.corner(b);
        (ax - bx).hypot(ay - by)
    }
}

/// Returns the position of the second target.
///
/// The first of eight draws that is far enough from the first target, else the corner farthest from it (a stage may be
/// too small for the full distance).
pub fn second_target(
    random: &[u8; 32],
    stage: &StageSize,
    first: TargetPosition,
) -> TargetPosition {
    let draws = random
        .chunks_exact(4)
        .map(|c| TargetPosition::from_random([c[0], c[1], c[2], c[3]]).rounded());
    draws
        .into_iter()
        .find(|place| stage.distance(first, *place) >= MIN_DISTANCE)
        .unwrap_or_else(|| TargetPosition {
            x: farthest_edge(first.x),
            y: farthest_edge(first.y),
        })
}

fn farthest_edge(from: f64) -> f64 {
    if from < 0.5 { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn second_target_is_far_from_the_first(
            random in proptest::array::uniform32(any::<u8>()),
            first: [u8; 4],
            width in 288.0..720.0_f64,
            height in 240.0..480.0_f64,
        ) {
            let stage = StageSize { width, height, target_width: 120.0, target_height: 56.0 };
            let first = TargetPosition::from_random(first);
            let second = second_target(&random, &stage, first);
            let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| TargetPosition { x, y });
            let farthest = corners.into_iter().map(|c| stage.distance(first, c)).fold(0.0, f64::max);
            prop_assert!(stage.distance(first, second) >= MIN_DISTANCE.min(farthest) - 1e-9);
            prop_assert!((0.0..=1.0).contains(&second.x) && (0.0..=1.0).contains(&second.y));
        }
    }

    #[test]
    fn small_stage_has_no_room_for_a_target() {
        let stage = StageSize {
            width: 10.0,
            height: 10.0,
            target_width: 50.0,
            target_height: 50.0,
        };
        assert_eq!(stage.corner(TargetPosition { x: 1.0, y: 1.0 }), (0.0, 0.0));
    }
}
