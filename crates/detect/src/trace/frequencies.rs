//! The lowest frequencies of a curve that begins and ends at 0.

use super::even::middles;
use std::f64::consts::{PI, SQRT_2};

/// The amplitudes of the `N` lowest sines in a curve that was looked at at the middles of equal parts: those of
/// `sqrt(2) sin(k pi u)`, from `k = 1` on. They keep distances, as far as the frequencies left out are small.
pub(super) fn frequencies<const N: usize>(curve: &[f64]) -> [f64; N] {
    let places = f64::from(u32::try_from(curve.len()).unwrap_or(u32::MAX)).max(1.0);
    let mut order = 0.0;
    std::array::from_fn(|_| {
        order += 1.0;
        let product = |(value, middle): (&f64, f64)| value * (PI * order * middle).sin() * SQRT_2;
        curve.iter().zip(middles()).map(product).sum::<f64>() / places
    })
}
