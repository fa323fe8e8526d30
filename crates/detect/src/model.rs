//! Behaviour model: the likelihood that a machine made a movement, by its shape.
//!
//! A movement becomes a `Stroke`, from which features are computed; trees turn the features into a logit; the mean logit of a
//! check's movements is scaled to nats. Training (in `voight-detection-eval`) and serving share this code.

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
pub use parameters::{ModelError, ModelParameters, Scale, Scales};
pub use stroke::{Stroke, UnusableMovement};
pub use trees::{Split, Tree};

use crate::movement::Point;

impl Stroke {
    /// Computes the features of a movement.
    ///
    /// # Errors
    ///
    /// The movement is too short, or its events are too sparse.
    pub fn features(&mut self, points: &[Point]) -> Result<Features, UnusableMovement> {
        self.read(points)?;
        Ok(features::extract(self))
    }
}
