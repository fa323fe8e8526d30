//! `cargo xtask docs`: writes the documentation site that the binary embeds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::console;
use crate::workspace::Workspace;

/// Writes the site to a directory: to `docs` in the target directory, which is replaced, unless another one is named.
pub(crate) fn run(to: Option<PathBuf>) -> Result<ExitCode> {
    let dir = match to {
        Some(dir) => dir,
        None => emptied(Workspace::locate()?.docs())?,
    };
    let count = write(&dir)?;
    console::line(format_args!("{count} files are written; open {}", dir.join("index.html").display()));
    Ok(ExitCode::SUCCESS)
}

/// Removes the site of an earlier build.
fn emptied(dir: PathBuf) -> Result<PathBuf> {
    if dir.exists() {
        fs::remove_dir_all(&dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    Ok(dir)
}

/// Writes all files of the site to a new or empty directory, and returns their number.
fn write(dir: &Path) -> Result<usize> {
    if dir.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!(
            "{} is not empty; name an empty directory, or none to replace the one in the target directory",
            dir.display()
        );
    }
    for file in voight_docs::files() {
        let path = dir.join(file.path);
        let parent = path.parent().context("a file in a directory")?;
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        fs::write(&path, file.contents()?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(voight_docs::files().len())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::write;

    #[test]
    fn the_site_is_written_to_an_empty_directory_only() {
        let dir = std::env::temp_dir().join(format!("voight-xtask-docs-{}", std::process::id()));
        let count = write(&dir).unwrap();
        let index = fs::read_to_string(dir.join("index.html")).unwrap();
        let error = write(&dir).unwrap_err().to_string();
        fs::remove_dir_all(&dir).unwrap();
        assert!(count > 100 && index.starts_with("<!doctype html>"));
        assert!(error.contains("is not empty"), "{error}");
    }
}
