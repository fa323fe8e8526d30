//! Numbers about samples.

mod bound;
mod rank;

pub use bound::{SampleCluster, lower_bound, upper_bound, upper_bound_of};
pub use rank::{auc, mean, quantile};

/// A count as a number.
#[expect(clippy::cast_precision_loss, reason = "counts are small")]
pub fn float(count: usize) -> f64 {
    count as f64
}

/// `part` of `whole`; nothing of nothing is unknown.
pub fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| float(part) / float(whole))
}

/// To four decimals, for people to read.
pub fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
