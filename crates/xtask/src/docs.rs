//! `cargo xtask docs`: writes the documentation site that the binary embeds.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{console, files};

/// Writes the site to a directory: to `docs` in the target directory, which is replaced, unless another one is named.
pub(crate) fn run(to: Option<PathBuf>) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let site = voight_book::build(workspace.root())?;
    let dir = files::empty_dir(to, workspace.docs())?;
    for (path, bytes) in &site.files {
        files::write(&dir.join(path), bytes)?;
    }
    let count = site.files.len();
    let first = dir.join("index.html");
    console::line(format_args!(
        "{count} files are written; open {}",
        first.display()
    ));
    Ok(ExitCode::SUCCESS)
}
