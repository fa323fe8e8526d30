//! npm package `@voight/check`, which the binary serves.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use tar::Archive;

use crate::files;

/// Directory of all files in the archive.
const ROOT: &str = "package";

/// Writes the archive of the package, and its files beside it, into an empty directory; returns the archive.
pub(super) fn write(dir: &Path) -> Result<PathBuf> {
    let package = voight_browser::npm_package();
    let name = Path::new(package.path).file_name().context("a file name")?;
    let archive = dir.join(name);
    files::write(&archive, package.bytes)?;
    for entry in Archive::new(GzDecoder::new(package.bytes)).entries()? {
        let mut entry = entry?;
        let path = entry.path()?.strip_prefix(ROOT)?.to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        files::write(&dir.join(path), &bytes)?;
    }
    Ok(archive)
}
