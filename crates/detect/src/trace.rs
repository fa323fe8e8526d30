//! Traces: movements as shapes that are known again, whatever place, size and direction they are presented in.
//!
//! Both shapes of a movement (see [`MovementFingerprint`]) are made in the same way. The pointer is looked at at 48 places, at equal shares
//! of the time or of the way; turned and scaled so that the movement goes from (0, 0) to (1, 0); compared with an even
//! movement in a straight line; and what is left is kept as its lowest sine frequencies, in small integers. So noise of a
//! pixel, frames that show other moments, and a change of rhythm move a shape little, and a mirror only turns the signs of its
//! numbers across, which the distance does not see.

mod device;
mod even;
mod frequencies;
mod path;

use crate::facts::CheckFacts;
use crate::movement::{Movement, movements};
use device::device_fingerprint;
use even::{Deviation, resample};
use frequencies::sine_coefficients;
use path::NormalisedPath;
use voight_domain::links::{ACROSS, ALONG, MovementFingerprint, PathShape, RawLinkSignals};

/// Numbers of a shape by length that tell where it was along the line; the others tell when.
const POSITION_COEFFICIENTS: usize = 12;
/// How much the time counts beside the place in a shape by length. A rhythm is easily changed, a path is not.
const TIME_WEIGHT: f64 = 0.1;
/// One whole of a movement's length, in the units of a shape.
const SCALE: f64 = 700.0;

/// What may link a check to others.
pub(crate) fn link_signals(facts: &CheckFacts) -> RawLinkSignals {
    RawLinkSignals {
        traces: movements(facts).iter().filter_map(movement_fingerprint).collect(),
        device: device_fingerprint(facts),
    }
}

/// The trace of a movement; `None` of one with fewer than 14 events, shorter than 60 pixels, or with numbers that are none.
pub fn movement_fingerprint(movement: &Movement) -> Option<MovementFingerprint> {
    let path = NormalisedPath::from_points(&movement.points)?;
    let (time, length) = (path.shares_of_time(), path.shares_of_length());
    let by_time = resample(&path, &time, &time);
    let by_length = resample(&path, &length, &time);
    let when: Vec<f64> = by_length.iter().map(|even| even.late * TIME_WEIGHT).collect();
    let [at_times, at_lengths] = [&by_time, &by_length].map(|evens| across(evens));
    let mut along = [0; ALONG];
    along[..POSITION_COEFFICIENTS].copy_from_slice(&quantised::<POSITION_COEFFICIENTS>(&ahead(&by_length)));
    along[POSITION_COEFFICIENTS..].copy_from_slice(&quantised::<{ ALONG - POSITION_COEFFICIENTS }>(&when));
    Some(MovementFingerprint {
        by_time: PathShape { along: quantised(&ahead(&by_time)), across: quantised(&at_times) },
        by_length: PathShape { along, across: quantised::<ACROSS>(&at_lengths) },
    })
}

fn ahead(evens: &[Deviation]) -> Vec<f64> {
    evens.iter().map(|even| even.ahead).collect()
}

fn across(evens: &[Deviation]) -> Vec<f64> {
    evens.iter().map(|even| even.aside).collect()
}

/// The frequencies of a curve, the higher ones, which are smaller, the more enlarged. What is beyond a byte is cut.
fn quantised<const N: usize>(curve: &[f64]) -> [i8; N] {
    let mut order = 0.0_f64;
    sine_coefficients::<N>(curve).map(|amplitude| {
        order += 1.0;
        #[expect(clippy::cast_possible_truncation, reason = "a conversion of floats saturates, and NaN becomes 0")]
        let number = (amplitude * order.sqrt() * SCALE).round().max(-127.0) as i8;
        number
    })
}

#[cfg(test)]
mod tests;
