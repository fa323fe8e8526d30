//! How a forest is grown. The same for the model that is shipped and for each fold.

use serde::Serialize;

/// What was set by hand, after trying what unseen tools and people liked best.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Settings {
    /// Trees in the forest.
    pub trees: usize,
    /// Leaves of a tree.
    pub leaves: usize,
    /// How much of its answer a tree may give.
    pub rate: f64,
    /// Added to the curvature of a leaf, so that few rows say little.
    pub ridge: f64,
    /// Rows of a leaf.
    pub least_rows: f64,
    /// The share of features that a tree may ask about.
    pub features: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { trees: 160, leaves: 20, rate: 0.08, ridge: 5.0, least_rows: 40.0, features: 0.5 }
    }
}
