//! Python tools, with one virtual environment per list.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::stamp::InstallStamp;
use crate::console::{self, SetupState};
use crate::process;
use crate::workspace::Workspace;

/// Installs the tools of the tests, and those of the SDK in Python.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    install(
        &workspace.root().join("crates/xtask/tools/requirements.txt"),
        &workspace.tools().join("python"),
    )?;
    let sdk = workspace
        .root()
        .join("crates/sdk/python/tools/requirements.txt");
    install(&sdk, &workspace.tools().join("sdk-python"))
}

/// Installs the dependencies of the bot corpus.
pub(super) fn ensure_bot_corpus(workspace: &Workspace) -> Result<()> {
    install(
        &workspace.bot_corpus_crate().join("requirements.txt"),
        &workspace.tools().join("bot-corpus/python"),
    )
}

/// Installs the dependencies of the peer in Python.
pub(super) fn ensure_peers(workspace: &Workspace) -> Result<()> {
    install(
        &workspace.peers().join("fastapi/requirements.txt"),
        &workspace.tools().join("peers/fastapi"),
    )
}

/// Installs the linker of packages.
pub(super) fn ensure_package(workspace: &Workspace) -> Result<()> {
    install(
        &workspace
            .root()
            .join("crates/xtask/tools/package-requirements.txt"),
        &workspace.package_tools(),
    )
}

/// Installs a list of tools if they are missing or broken, or the list has changed.
fn install(requirements: &Path, dir: &Path) -> Result<()> {
    let python = dir.join("bin/python");
    let stamp = InstallStamp::compute(&[requirements.to_owned()], dir)?;
    // The environment uses the system's Python, which may have been removed since.
    let works = process::output(Command::new(&python).arg("--version")).is_some();
    if works && stamp.is_current() {
        console::state(SetupState::Present, "python tools");
        return Ok(());
    }
    console::state(
        SetupState::Missing,
        format_args!("python tools of {}", requirements.display()),
    );
    process::run(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(dir),
    )?;
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
    console::state(SetupState::Installed, "python tools");
    Ok(())
}
