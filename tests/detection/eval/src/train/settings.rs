//! Settings of the growth of a forest, equal for the released model and each fold.

use serde::Serialize;

/// Settings that were tuned manually on held-out tools and people.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Settings {
    /// Number of trees.
    pub trees: usize,
    /// Number of leaves of a tree.
    pub leaves: usize,
    /// Learning rate.
    pub rate: f64,
    /// Ridge added to the curvature of a leaf, which reduces the output of small leaves.
    pub ridge: f64,
    /// Minimum number of rows of a leaf.
    pub least_rows: f64,
    /// Share of the features that a tree may use.
    pub features: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            trees: 160,
            leaves: 20,
            rate: 0.08,
            ridge: 5.0,
            least_rows: 40.0,
            features: 0.5,
        }
    }
}
