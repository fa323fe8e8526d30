//! Output files of the training, and the committed ones.

use super::folds::Folds;
use super::held_out::Thresholds;
use anyhow::{Context, Result};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use voight_detect::model::ModelParameters;

/// Paths of the three files.
pub(super) struct OutputPaths {
    pub(super) parameters: PathBuf,
    pub(super) report: PathBuf,
    pub(super) folds: PathBuf,
}

impl OutputPaths {
    /// Returns the paths in one directory, or those in the sources.
    pub(super) fn in_dir(out: Option<&Path>) -> Self {
        let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
        let detect = manifest_dir.join("../../../crates/detect/model");
        let eval = manifest_dir.join("model");
        let (parameters, rest) = out.map_or((detect.as_path(), eval.as_path()), |out| (out, out));
        Self {
            parameters: parameters.join("behaviour.json"),
            report: rest.join("training.json"),
            folds: rest.join("folds.json.gz"),
        }
    }
}

/// Fold models, and the data for evaluating with them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FoldsFile {
    pub(super) folds: Folds,
    pub(super) thresholds: Thresholds,
    pub(super) models: Vec<ModelParameters>,
}

impl FoldsFile {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut text = Vec::new();
        GzDecoder::new(bytes)
            .read_to_end(&mut text)
            .context("the fold models are not gzip")?;
        serde_json::from_slice(&text)
            .context("the fold models are of another release; run `cargo xtask detect train`")
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let mut out = GzEncoder::new(Vec::new(), Compression::best());
        out.write_all(&serde_json::to_vec(self)?)?;
        write(path, &out.finish()?)
    }
}

pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    write(path, &text)
}

/// Writes the parameters, a line for each tree.
pub(super) fn write_parameters(path: &Path, parameters: &ModelParameters) -> Result<()> {
    let text = serde_json::to_string(parameters)?.replace("{\"splits\"", "\n{\"splits\"");
    write(path, (text + "\n").as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().context("a file is in a directory")?;
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_release_models_are_rejected() {
        let fault = |bytes: &[u8]| FoldsFile::read(bytes).unwrap_err().to_string();
        assert!(fault(b"models").contains("not gzip"));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"{}").unwrap();
        assert!(fault(&encoder.finish().unwrap()).contains("another release"));
    }
}
