//! Python tools, each list in an environment of its own.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::stamp::InstallStamp;
use crate::process;
use crate::say::{self, SetupState};
use crate::workspace::Workspace;

/// Installs the tools of the tests.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    install(&workspace.root().join("crates/xtask/tools/requirements.txt"), &workspace.tools().join("python"))
}

/// Installs what the zoo's programs are built on.
pub(super) fn ensure_zoo(workspace: &Workspace) -> Result<()> {
    install(&workspace.zoo_crate().join("requirements.txt"), &workspace.tools().join("zoo/python"))
}

/// Installs what the peer in Python is built on.
pub(super) fn ensure_peers(workspace: &Workspace) -> Result<()> {
    install(&workspace.peers().join("fastapi/requirements.txt"), &workspace.tools().join("peers/fastapi"))
}

/// Installs a list of tools if they are missing, broken or their list has changed.
fn install(requirements: &Path, folder: &Path) -> Result<()> {
    let python = folder.join("bin/python");
    let stamp = InstallStamp::compute(&[requirements.to_owned()], folder)?;
    // The environment leans on the system's Python, which may have gone since.
    let works = process::output(Command::new(&python).arg("--version")).is_some();
    if works && stamp.is_current() {
        say::state(SetupState::Present, "python tools");
        return Ok(());
    }
    say::state(SetupState::Missing, format_args!("python tools of {}", requirements.display()));
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "--requirement",
    ]);
    process::run(install.arg(requirements))?;
    stamp.write()?;
    say::state(SetupState::Installed, "python tools");
    Ok(())
}
