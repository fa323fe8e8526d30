//! The model, and what it says of a check.

use super::features::Features;
use super::parameters::{ModelError, Parameters, Scale};
use super::stroke::{Stroke, UnusableMovement};
use super::trees::{Split, Tree};
use crate::movement::Movement;
use crate::wire::PointerType;
use std::sync::{Arc, LazyLock};

/// The parameters of this release.
const RELEASED: &[u8] = include_bytes!("../../model/behaviour.json");
/// Fewer usable movements say nothing.
const MIN_MOVEMENTS: usize = 2;

/// A model that can judge.
#[derive(Debug, Clone)]
pub struct Model {
    version: u32,
    mouse: Scale,
    /// Their splits speak of features by their place in `Features`.
    trees: Vec<Tree>,
}

/// What the model says of the movements of a check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModelJudgement {
    /// It can say nothing.
    Abstains(Abstention),
    /// It judged.
    Judged {
        /// The version of the model.
        version: u32,
        /// How many movements it looked at.
        movements: usize,
        /// Evidence for a machine if positive, for a hand if negative, without a cap.
        nats: f64,
    },
}

/// Why the model says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abstention {
    /// The pointer is of a kind that it was not trained with: touch or a pen.
    Pointer,
    /// The events come as sparsely as over a remote desktop.
    Sparse,
    /// There are fewer than two movements that are long enough.
    TooFew,
}

impl Model {
    /// The model of this release. A test reads its parameters; if they were broken all the same, it would abstain.
    pub fn released() -> Arc<Self> {
        static MODEL: LazyLock<Arc<Model>> =
            LazyLock::new(|| Arc::new(Model::read(RELEASED).unwrap_or(Model::ABSTAINING_MODEL)));
        Arc::clone(&MODEL)
    }

    /// A model that knows no movement.
    pub(crate) const ABSTAINING_MODEL: Self =
        Self { version: 0, mouse: Scale { slope: 1.0, offset: 0.0 }, trees: Vec::new() };

    /// Reads a file of parameters.
    ///
    /// # Errors
    ///
    /// The bytes are no JSON of this shape, or as `new`.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::new(Parameters::read(bytes)?)
    }

    /// The model of some parameters.
    ///
    /// # Errors
    ///
    /// They are of another format, name a feature that is not taken, or hold a tree that leads nowhere.
    pub fn new(parameters: Parameters) -> Result<Self, ModelError> {
        let places = parameters.feature_indices()?;
        let put = |Split(feature, at, left, right): Split| Split(places[usize::from(feature)], at, left, right);
        let tree = |tree: Tree| Tree { splits: tree.splits.into_iter().map(put).collect(), leaves: tree.leaves };
        let trees = parameters.trees.into_iter().map(tree).collect();
        Ok(Self { version: parameters.version, mouse: parameters.scales.mouse, trees })
    }

    /// The version that a verdict names.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// How its logits are scaled for a mouse.
    pub const fn mouse(&self) -> Scale {
        self.mouse
    }

    /// The logit of one movement: the higher, the more like a machine's.
    pub fn logit(&self, features: &Features) -> f64 {
        self.trees.iter().map(|tree| tree.answer(features)).sum()
    }

    /// What it says of the movements of one check. `stroke` is a buffer.
    pub fn judge(&self, movements: &[Movement], stroke: &mut Stroke) -> ModelJudgement {
        let (mut count, mut sum, mut sparse) = (0_u32, 0.0, false);
        for movement in movements.iter().filter(|movement| movement.pointer == PointerType::Mouse) {
            match stroke.features(&movement.points) {
                Ok(features) => (count, sum) = (count + 1, sum + self.logit(&features)),
                Err(UnusableMovement::Sparse) => sparse = true,
                Err(UnusableMovement::Short) => {}
            }
        }
        // Two movements that can be judged are, whatever was presented beside them.
        match count as usize {
            usable if usable >= MIN_MOVEMENTS && !self.trees.is_empty() => ModelJudgement::Judged {
                version: self.version,
                movements: usable,
                nats: self.mouse.apply(sum / f64::from(count)),
            },
            _ if movements.iter().any(|movement| movement.pointer != PointerType::Mouse) => {
                ModelJudgement::Abstains(Abstention::Pointer)
            }
            _ if sparse => ModelJudgement::Abstains(Abstention::Sparse),
            _ => ModelJudgement::Abstains(Abstention::TooFew),
        }
    }
}

impl Scale {
    /// A mean logit in nats.
    pub fn apply(self, logit: f64) -> f64 {
        self.slope * logit + self.offset
    }
}

impl ModelJudgement {
    /// Returns `true` if the model had movements to judge.
    pub const fn is_judged(&self) -> bool {
        matches!(self, Self::Judged { .. })
    }

    /// The version of the model that judged, 0 if none did.
    pub const fn version(&self) -> u32 {
        match self {
            Self::Abstains(_) => 0,
            Self::Judged { version, .. } => *version,
        }
    }
}
