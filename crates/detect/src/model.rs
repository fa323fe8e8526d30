//! The behaviour model: how likely a machine made a movement, by its shape.
//!
//! A movement becomes a `Stroke`, of which features are taken; trees turn the features into a logit; the mean logit of a
//! check's movements is scaled to nats. Training (in `voight-lab`) and serving share all of it.

mod behaviour;
mod features;
mod parameters;
mod stats;
mod stroke;
#[cfg(test)]
mod tests;
mod trees;

pub use behaviour::{Abstention, Model, ModelJudgement};
pub use features::{COUNT, Features, names};
pub use parameters::{ModelError, Parameters, Scale, Scales};
pub use stroke::{Stroke, UnusableMovement};
pub use trees::{Split, Tree};

use crate::movement::Point;

impl Stroke {
    /// The features of a movement, or why it says nothing.
    ///
    /// # Errors
    ///
    /// The movement is too short, or its events are too sparse.
    pub fn features(&mut self, points: &[Point]) -> Result<Features, UnusableMovement> {
        self.read(points)?;
        Ok(features::extract(self))
    }
}
