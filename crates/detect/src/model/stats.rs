//! Statistics. Each function returns 0 where it is undefined, so that every feature is finite.

/// Returns `a / b`.
pub(super) fn ratio(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if quotient.is_finite() { quotient } else { 0.0 }
}

/// Returns the share of values that are `true`.
pub(super) fn share(all: impl Iterator<Item = bool>) -> f64 {
    mean(all.map(f64::from))
}

pub(super) fn mean(all: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = all.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    ratio(sum, count)
}

/// Returns the root mean square.
pub(super) fn rms(all: impl Iterator<Item = f64>) -> f64 {
    mean(all.map(|value| value * value)).sqrt()
}

/// Returns the `order`-th central moment.
pub(super) fn moment(all: &[f64], order: i32) -> f64 {
    let centre = mean(all.iter().copied());
    mean(all.iter().map(|value| (value - centre).powi(order)))
}

pub(super) fn deviation(all: &[f64]) -> f64 {
    moment(all, 2).sqrt()
}

/// Returns the autocorrelation at `lag`, from -1 to 1.
pub(super) fn autocorrelation(all: &[f64], lag: usize) -> f64 {
    let centre = mean(all.iter().copied());
    let products = all
        .iter()
        .zip(all.iter().skip(lag))
        .map(|(a, b)| (a - centre) * (b - centre));
    ratio(mean(products), moment(all, 2)).clamp(-1.0, 1.0)
}

/// Returns the correlation of two variables, from -1 to 1.
pub(super) fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let x = mean(pairs.clone().map(|pair| pair.0));
    let y = mean(pairs.clone().map(|pair| pair.1));
    let together = mean(pairs.clone().map(|(a, b)| (a - x) * (b - y)));
    let deviations = rms(pairs.clone().map(|pair| pair.0 - x)) * rms(pairs.map(|pair| pair.1 - y));
    ratio(together, deviations).clamp(-1.0, 1.0)
}

/// Returns the value that a share `part` of the values does not exceed. `sorted` must be sorted.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place"
)]
pub(super) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted
        .get((part * last as f64).round() as usize)
        .copied()
        .unwrap_or(0.0)
}

/// Sorts the values and returns their median.
pub(super) fn median(all: &mut [f64]) -> f64 {
    all.sort_unstable_by(f64::total_cmp);
    quantile(all, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_statistics_are_zero() {
        let empty: [f64; 0] = [];
        let values = [
            ratio(1.0, 0.0),
            mean(empty.into_iter()),
            deviation(&empty),
            autocorrelation(&[2.0, 2.0], 1),
            correlation([(1.0, 2.0)].into_iter()),
            quantile(&empty, 0.5),
        ];
        assert!(
            values.iter().all(|value| value.abs() < f64::EPSILON),
            "{values:?}"
        );
    }

    #[test]
    fn numbers_of_known_samples() {
        assert!((moment(&[1.0, 3.0], 2) - 1.0).abs() < 1e-12);
        assert!((rms([3.0, -3.0].into_iter()) - 3.0).abs() < 1e-12);
        assert!((median(&mut [5.0, 1.0, 3.0]) - 3.0).abs() < 1e-12);
        assert!((autocorrelation(&[1.0, -1.0, 1.0, -1.0], 1) + 1.0).abs() < 1e-12);
        assert!(
            (correlation([(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)].into_iter()) - 1.0).abs() < 1e-12
        );
    }
}
