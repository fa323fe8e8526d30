//! Parameter file: the result of training, parsed strictly.

use super::features::names;
use super::trees::Tree;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Format name in the file.
const FORMAT: &str = "voight-behaviour-model";
/// Maximum number of trees.
const MAX_TREES: usize = 5000;

/// Parameters that training produces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelParameters {
    /// Always `voight-behaviour-model`.
    pub format: String,
    /// Version that verdicts name, from 1.
    pub version: u32,
    /// Names of the features; splits refer to them by index.
    pub features: Vec<String>,
    /// Scale of the logits for each pointer type.
    pub scales: Scales,
    /// Trees, whose outputs are summed.
    pub trees: Vec<Tree>,
}

/// Scale for each pointer type of the training data; the model abstains for others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scales {
    /// Scale for a mouse, and for devices that browsers report as one.
    pub mouse: Scale,
}

/// Conversion of a check's mean logit to nats: `slope * logit + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the formula says it")]
pub struct Scale {
    pub slope: f64,
    pub offset: f64,
}

/// Error in a parameter file, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError(String);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this is not a behaviour model of this release: {}; train one with `cargo xtask detect train`",
            self.0
        )
    }
}

impl std::error::Error for ModelError {}

impl ModelParameters {
    /// Creates parameters in the format of this release.
    pub fn new(version: u32, features: Vec<String>, mouse: Scale, trees: Vec<Tree>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version,
            features,
            scales: Scales { mouse },
            trees,
        }
    }

    /// Parses a parameter file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(bytes).map_err(|error| ModelError(error.to_string()))
    }

    /// Maps each feature to its index in this release, after validation.
    pub(super) fn feature_indices(&self) -> Result<Vec<u16>, ModelError> {
        self.check().map_err(ModelError)?;
        let place = |name: &String| {
            names()
                .position(|feature| feature == name)
                .and_then(|at| u16::try_from(at).ok())
        };
        let find = |name| {
            place(name).ok_or_else(|| {
                ModelError(format!(
                    "it asks for the feature `{name}`, which is not taken"
                ))
            })
        };
        self.features.iter().map(find).collect()
    }

    fn check(&self) -> Result<(), String> {
        let Self {
            format,
            version,
            features,
            scales,
            trees,
        } = self;
        if format != FORMAT {
            return Err(format!("`format` is `{format}`, and must be `{FORMAT}`"));
        }
        if *version == 0 {
            return Err("`version` is 0, and must be at least 1".to_owned());
        }
        let Scale { slope, offset } = scales.mouse;
        if !(slope.is_finite() && offset.is_finite() && slope > 0.0) {
            return Err(format!(
                "`scales.mouse` is {slope} and {offset}; its slope must be positive"
            ));
        }
        if trees.is_empty() || trees.len() > MAX_TREES {
            return Err(format!(
                "it has {} trees, and must have 1 to {MAX_TREES}",
                trees.len()
            ));
        }
        match trees.iter().position(|tree| !tree.is_sound(features.len())) {
            Some(at) => Err(format!("tree {at} has a split or leaf that leads nowhere")),
            None => Ok(()),
        }
    }
}
