//! Two-sample tests, accurate for a significance level of one in a million.

/// Returns the Kolmogorov-Smirnov distance: the largest difference of two distribution functions.
pub(crate) fn ks_distance(a: &[f64], b: &[f64]) -> f64 {
    let a = sorted(a);
    let b = sorted(b);
    let share = |sample: &[f64], at: f64| {
        count(sample.partition_point(|value| *value <= at)) / count(sample.len())
    };
    a.iter()
        .chain(&b)
        .map(|at| (share(&a, *at) - share(&b, *at)).abs())
        .fold(0.0, f64::max)
}

/// Returns the distance that two samples of one distribution exceed with a probability of at most `alpha`.
pub(crate) fn ks_critical(a: usize, b: usize, alpha: f64) -> f64 {
    let a = count(a);
    let b = count(b);
    (-(alpha / 2.0).ln() / 2.0 * (a + b) / (a * b)).sqrt()
}

/// Returns the two-sided p-value of Fisher's exact test, for `hits` among `all` in two samples.
pub(crate) fn fisher([hits_a, hits_b]: [usize; 2], [all_a, all_b]: [usize; 2]) -> f64 {
    let hits = hits_a + hits_b;
    let log_choose =
        |n: usize, k: usize| log_factorial(n) - log_factorial(k) - log_factorial(n - k);
    let log_p = |a: usize| {
        log_choose(all_a, a) + log_choose(all_b, hits - a) - log_choose(all_a + all_b, hits)
    };
    let log_probability = log_p(hits_a);
    let tables = hits.saturating_sub(all_b)..=hits.min(all_a);
    tables
        .map(log_p)
        .filter(|p| *p <= log_probability + 1e-9)
        .map(f64::exp)
        .sum::<f64>()
        .min(1.0)
}

fn log_factorial(n: usize) -> f64 {
    (2..=n).map(|k| count(k).ln()).sum()
}

fn sorted(sample: &[f64]) -> Vec<f64> {
    let mut sample = sample.to_vec();
    sample.sort_by(f64::total_cmp);
    sample
}

#[expect(clippy::cast_precision_loss, reason = "samples are small")]
fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns times with the long tail of a busy machine.
    fn times(seed: u64, shift: f64) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..100)
            .map(|_| shift + 0.8 - random.f64().max(1e-9).ln())
            .collect()
    }

    #[test]
    fn delay_of_one_millisecond_is_detected() {
        let critical = ks_critical(100, 100, 1e-6);
        for seed in 0..50 {
            let plain = times(seed, 0.0);
            let same = times(seed + 1_000, 0.0);
            let delayed_times = times(seed + 2_000, 1.0);
            assert!(ks_distance(&plain, &same) < critical);
            assert!(ks_distance(&plain, &delayed_times) > critical);
        }
    }

    #[test]
    fn fisher_agrees_with_known_tables() {
        assert!((fisher([3, 1], [4, 4]) - 0.485_714).abs() < 1e-6);
        assert!((fisher([0, 0], [100, 100]) - 1.0).abs() < 1e-9);
        assert!(fisher([0, 100], [100, 100]) < 1e-50);
    }
}
