//! Statistics of samples.

mod bound;
mod rank;

pub use bound::{SampleCluster, lower_bound, upper_bound, upper_bound_of};
pub use rank::{auc, mean, quantile};

/// Converts a count to a float.
#[expect(clippy::cast_precision_loss, reason = "counts are small")]
pub fn float(count: usize) -> f64 {
    count as f64
}

/// Returns `part` of `whole` as a share; `None` if `whole` is 0.
pub fn share(part: usize, total: usize) -> Option<f64> {
    (total > 0).then(|| float(part) / float(total))
}

/// Rounds to four decimals, for readability.
pub fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
