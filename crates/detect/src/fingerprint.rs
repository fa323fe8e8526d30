//! Movement fingerprints, invariant under translation, scaling, rotation and reflection.
//!
//! Both shapes of a movement (see [`MovementFingerprint`]) are computed in the same way:
//!
//! - the path is sampled at 48 equal shares of the time or of the length;
//! - it is rotated and scaled so that the movement leads from (0, 0) to (1, 0);
//! - an even movement in a straight line is subtracted;
//! - the lowest sine frequencies of the rest are stored as small integers.
//!
//! So noise of a pixel, frames at other moments, and a change of rhythm change a shape little. A reflection only changes the
//! signs of the coefficients across, which the distance ignores.

mod device;
mod normalised_path;
mod resample;
mod sine_transform;

use crate::facts::CheckFacts;
use crate::movement::Movement;
use device::device_fingerprint;
use normalised_path::NormalisedPath;
use resample::{Deviation, resample};
use sine_transform::sine_coefficients;
use voight_domain::linkage::{ACROSS, ALONG, MovementFingerprint, PathShape, RawLinkSignals};

/// Number of coefficients of a shape by length that encode the position along the line; the others encode the time.
const POSITION_COEFFICIENTS: usize = 12;
/// Weight of time relative to position in a shape by length. A rhythm is easily changed, a path is not.
const TIME_WEIGHT: f64 = 0.1;
/// Length of a movement, in the units of a shape.
const SCALE: f64 = 700.0;

/// Returns the signals that may link a check to others.
pub(crate) fn link_signals(facts: &CheckFacts, movements: &[Movement]) -> RawLinkSignals {
    RawLinkSignals {
        traces: movements.iter().filter_map(movement_fingerprint).collect(),
        device: device_fingerprint(facts),
    }
}

/// Returns the fingerprint of a movement.
///
/// `None` if it has fewer than 14 events, is shorter than 60 pixels, or has values that are not finite.
pub fn movement_fingerprint(movement: &Movement) -> Option<MovementFingerprint> {
    let path = NormalisedPath::from_points(&movement.points)?;
    let time = path.shares_of_time();
    let length = path.shares_of_length();
    let by_time = resample(&path, &time, &time);
    let by_length = resample(&path, &length, &time);
    let when: Vec<f64> = by_length
        .iter()
        .map(|even| even.late * TIME_WEIGHT)
        .collect();
    let [at_times, at_lengths] = [&by_time, &by_length].map(|evens| across(evens));
    let mut along = [0; ALONG];
    along[..POSITION_COEFFICIENTS]
        .copy_from_slice(&quantised::<POSITION_COEFFICIENTS>(&ahead(&by_length)));
    along[POSITION_COEFFICIENTS..]
        .copy_from_slice(&quantised::<{ ALONG - POSITION_COEFFICIENTS }>(&when));
    Some(MovementFingerprint {
        by_time: PathShape {
            along: quantised(&ahead(&by_time)),
            across: quantised(&at_times),
        },
        by_length: PathShape {
            along,
            across: quantised::<ACROSS>(&at_lengths),
        },
    })
}

fn ahead(evens: &[Deviation]) -> Vec<f64> {
    evens.iter().map(|even| even.ahead).collect()
}

fn across(evens: &[Deviation]) -> Vec<f64> {
    evens.iter().map(|even| even.aside).collect()
}

/// Returns the sine coefficients of a curve as integers. Higher, smaller ones are enlarged more; overflows are clipped.
fn quantised<const N: usize>(curve: &[f64]) -> [i8; N] {
    let mut order = 0.0_f64;
    sine_coefficients::<N>(curve).map(|amplitude| {
        order += 1.0;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a conversion of floats saturates, and NaN becomes 0"
        )]
        let number = (amplitude * order.sqrt() * SCALE).round().max(-127.0) as i8;
        number
    })
}

#[cfg(test)]
mod tests;
