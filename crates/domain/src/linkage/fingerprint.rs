//! Movement fingerprints: small enough to store and to compare with thousands of others.

use super::MatchThresholds;

/// Number of coefficients of a shape that a reflection does not change.
pub const ALONG: usize = 20;
/// Number of coefficients of a shape whose common sign a reflection inverts.
pub const ACROSS: usize = 12;

/// Minimum norm of shapes by time and by length.
///
/// Nearly straight and even movements, which all people make, must not match because of their small norm. The values
/// are of the order of the norm of ordinary movements.
const MIN_NORM_BY_TIME: f64 = 17_000.0;
const MIN_NORM_BY_LENGTH: f64 = 6_000.0;

/// Shape of a movement from its start to its press, independent of position, size and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathShape {
    /// Deviation along the straight line from an even movement.
    pub along: [i8; ALONG],
    /// Deviation across the straight line.
    pub across: [i8; ACROSS],
}

/// Two shapes of a movement. Either of them is sufficient to recognise it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovementFingerprint {
    /// Positions at equal fractions of the time: robust against noise on the path.
    pub by_time: PathShape,
    /// Positions and times at equal fractions of the path length: robust against another rhythm.
    pub by_length: PathShape,
}

impl PathShape {
    /// Returns the distance of two shapes: 0 for the same movement or its mirror image.
    ///
    /// The distance is relative to that from a straight and even movement plus `least`.
    fn distance(&self, other: &Self, least: f64) -> f64 {
        let size =
            |shape: &Self| dot(&shape.along, &shape.along) + dot(&shape.across, &shape.across);
        let mine = size(self);
        let theirs = size(other);
        let common = dot(&self.along, &other.along) + dot(&self.across, &other.across).abs();
        f64::from(mine + theirs - 2 * common)
            / (f64::from(mine).sqrt() * f64::from(theirs).sqrt() + least)
    }
}

impl MovementFingerprint {
    /// Returns `true` if this movement matches `other` within `limits`.
    pub fn matches(&self, other: &Self, limits: MatchThresholds) -> bool {
        let MatchThresholds { by_time, by_length } = self.distances(other);
        by_time <= limits.by_time || by_length <= limits.by_length
    }

    /// Returns the distances of both shapes, on which the thresholds are measured.
    pub fn distances(&self, other: &Self) -> MatchThresholds {
        MatchThresholds {
            by_time: self.by_time.distance(&other.by_time, MIN_NORM_BY_TIME),
            by_length: self
                .by_length
                .distance(&other.by_length, MIN_NORM_BY_LENGTH),
        }
    }
}

/// Returns the dot product. At most 32 products of at most 128 squared, so the sum cannot overflow.
fn dot<const N: usize>(one: &[i8; N], other: &[i8; N]) -> i32 {
    one.iter()
        .zip(other)
        .map(|(one, other)| i32::from(*one) * i32::from(*other))
        .sum()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a fingerprint unlike that of any other `number`.
    pub(crate) fn trace(number: u32) -> MovementFingerprint {
        let mut state = number.wrapping_mul(0x9e37_79b9) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[1].cast_signed() / 2
        };
        let mut shape = || PathShape {
            along: std::array::from_fn(|_| next()),
            across: std::array::from_fn(|_| next()),
        };
        MovementFingerprint {
            by_time: shape(),
            by_length: shape(),
        }
    }

    fn shape() -> impl Strategy<Value = PathShape> {
        (any::<[i8; ALONG]>(), any::<[i8; ACROSS]>())
            .prop_map(|(along, across)| PathShape { along, across })
    }

    proptest! {
        #[test]
        fn distance_is_finite_and_symmetric(one in shape(), other in shape()) {
            let distance = one.distance(&other, MIN_NORM_BY_TIME);
            prop_assert!(distance.is_finite() && distance >= 0.0);
            prop_assert_eq!(distance.to_bits(), other.distance(&one, MIN_NORM_BY_TIME).to_bits());
        }

        #[test]
        fn mirrored_movement_has_zero_distance(mut one in shape()) {
            one.across = one.across.map(|number| number.max(-127));
            let mirror_image = PathShape { across: one.across.map(|number| -number), ..one };
            prop_assert!(one.distance(&mirror_image, MIN_NORM_BY_TIME).abs() < 1e-12);
        }
    }

    #[test]
    fn similarity_of_one_shape_suffices() {
        let first_trace = trace(1);
        let second_trace = trace(2);
        let limits = MatchThresholds::for_index_size(0);
        assert!(
            first_trace.matches(&first_trace, limits)
                && !first_trace.matches(&second_trace, limits)
        );
        assert!(
            MovementFingerprint {
                by_time: first_trace.by_time,
                ..second_trace
            }
            .matches(&first_trace, limits)
        );
        assert!(
            MovementFingerprint {
                by_length: first_trace.by_length,
                ..second_trace
            }
            .matches(&first_trace, limits)
        );
    }

    #[test]
    fn straight_movements_do_not_match_by_size() {
        let still = PathShape {
            along: [0; ALONG],
            across: [0; ACROSS],
        };
        let bent = PathShape {
            across: [40; ACROSS],
            ..still
        };
        assert!(still.distance(&bent, MIN_NORM_BY_LENGTH) > 0.5);
    }
}
