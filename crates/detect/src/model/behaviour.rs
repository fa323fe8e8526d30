//! Model, and its judgement of a check.

use super::features::Features;
use super::parameters::{ModelError, ModelParameters, Scale};
use super::stroke::{Stroke, UnusableMovement};
use super::trees::{Split, Tree};
use crate::evidence_schema::PointerType;
use crate::movement::Movement;
use std::sync::{Arc, LazyLock};

/// Parameters of this release.
const RELEASED: &[u8] = include_bytes!("../../model/behaviour.json");
/// Minimum number of usable movements; the model abstains below it.
const MIN_MOVEMENTS: usize = 2;

/// Trained model.
#[derive(Debug, Clone)]
pub struct Model {
    version: u32,
    mouse: Scale,
    /// Trees whose splits refer to features by their index in `Features`.
    trees: Vec<Tree>,
}

/// Judgement of the movements of a check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModelJudgement {
    /// The model has no judgement.
    Abstains(Abstention),
    /// The model has judged.
    Judged {
        /// Version of the model.
        version: u32,
        /// Number of movements that were judged.
        movements: usize,
        /// Evidence for a machine if positive, for a hand if negative, without a cap.
        nats: f64,
    },
}

/// Reason why the model abstains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abstention {
    /// The pointer is of a type that the model was not trained with: touch or a pen.
    Pointer,
    /// The events are as sparse as over a remote desktop.
    Sparse,
    /// Fewer than two movements are long enough.
    TooFew,
}

impl Model {
    /// Returns the model of this release. A test reads its parameters; if they were invalid, it would abstain.
    pub fn released() -> Arc<Self> {
        static MODEL: LazyLock<Arc<Model>> =
            LazyLock::new(|| Arc::new(Model::read(RELEASED).unwrap_or(Model::ABSTAINING_MODEL)));
        Arc::clone(&MODEL)
    }

    /// Model without trees, which always abstains.
    pub(crate) const ABSTAINING_MODEL: Self = Self {
        version: 0,
        mouse: Scale {
            slope: 1.0,
            offset: 0.0,
        },
        trees: Vec::new(),
    };

    /// Reads a parameter file.
    ///
    /// # Errors
    ///
    /// The bytes are not JSON of this shape, or [`new`](Self::new) fails.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::new(ModelParameters::read(bytes)?)
    }

    /// Creates a model from parameters.
    ///
    /// # Errors
    ///
    /// The parameters have another format, name an unknown feature, or hold an invalid tree.
    pub fn new(parameters: ModelParameters) -> Result<Self, ModelError> {
        let places = parameters.feature_indices()?;
        let with_index = |Split(feature, at, left, right): Split| {
            Split(places[usize::from(feature)], at, left, right)
        };
        let tree = |tree: Tree| Tree {
            splits: tree.splits.into_iter().map(with_index).collect(),
            leaves: tree.leaves,
        };
        let trees = parameters.trees.into_iter().map(tree).collect();
        Ok(Self {
            version: parameters.version,
            mouse: parameters.scales.mouse,
            trees,
        })
    }

    /// Returns the version that a verdict names.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Returns the scale of its logits for a mouse.
    pub const fn mouse(&self) -> Scale {
        self.mouse
    }

    /// Returns the logit of one movement; higher values are more machine-like.
    pub fn logit(&self, features: &Features) -> f64 {
        self.trees.iter().map(|tree| tree.answer(features)).sum()
    }

    /// Judges the movements of one check. `stroke` is a reusable buffer.
    pub fn judge(&self, movements: &[Movement], stroke: &mut Stroke) -> ModelJudgement {
        let mut count = 0_u32;
        let mut sum = 0.0;
        let mut sparse = false;
        for movement in movements
            .iter()
            .filter(|movement| movement.pointer == PointerType::Mouse)
        {
            match stroke.features(&movement.points) {
                Ok(features) => (count, sum) = (count + 1, sum + self.logit(&features)),
                Err(UnusableMovement::Sparse) => sparse = true,
                Err(UnusableMovement::Short) => {}
            }
        }
        // Unusable movements beside two usable ones do not make the model abstain.
        match count as usize {
            usable if usable >= MIN_MOVEMENTS && !self.trees.is_empty() => ModelJudgement::Judged {
                version: self.version,
                movements: usable,
                nats: self.mouse.apply(sum / f64::from(count)),
            },
            _ if movements
                .iter()
                .any(|movement| movement.pointer != PointerType::Mouse) =>
            {
                ModelJudgement::Abstains(Abstention::Pointer)
            }
            _ if sparse => ModelJudgement::Abstains(Abstention::Sparse),
            _ => ModelJudgement::Abstains(Abstention::TooFew),
        }
    }
}

impl Scale {
    /// Converts a mean logit to nats.
    pub fn apply(self, logit: f64) -> f64 {
        self.slope * logit + self.offset
    }
}

impl ModelJudgement {
    /// Returns `true` if the model judged the movements.
    pub const fn is_judged(&self) -> bool {
        matches!(self, Self::Judged { .. })
    }

    /// Returns the version of the model that judged, 0 if none did.
    pub const fn version(&self) -> u32 {
        match self {
            Self::Abstains(_) => 0,
            Self::Judged { version, .. } => *version,
        }
    }
}
