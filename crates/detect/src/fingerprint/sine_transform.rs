//! Lowest frequencies of a curve that begins and ends at 0.

use super::resample::{SAMPLES, middles};
use std::f64::consts::{PI, SQRT_2};
use std::sync::LazyLock;
use voight_domain::linkage::ALONG;

/// Sines `sqrt(2) sin(k pi u)` at the middles of equal parts, from `k = 1` to [`ALONG`].
static SINES: LazyLock<[[f64; SAMPLES]; ALONG]> = LazyLock::new(|| {
    let mut order = 0.0;
    std::array::from_fn(|_| {
        order += 1.0;
        let mut sine = [0.0; SAMPLES];
        sine.iter_mut()
            .zip(middles())
            .for_each(|(value, middle)| *value = (PI * order * middle).sin() * SQRT_2);
        sine
    })
});

/// Returns the amplitudes of the `N` lowest sines of a curve.
///
/// The amplitudes preserve distances, as far as the omitted frequencies are small.
pub(super) fn sine_coefficients<const N: usize>(curve: &[f64]) -> [f64; N] {
    let places = f64::from(u32::try_from(curve.len()).unwrap_or(u32::MAX)).max(1.0);
    std::array::from_fn(|order| {
        let sine = SINES.get(order).map_or(&[][..], |sine| &sine[..]);
        curve
            .iter()
            .zip(sine)
            .map(|(value, sine)| value * sine)
            .sum::<f64>()
            / places
    })
}
