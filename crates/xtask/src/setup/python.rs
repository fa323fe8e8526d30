//! Python tools, in an environment of their own.

use std::process::Command;

use anyhow::Result;

use super::stamp::Stamp;
use crate::process;
use crate::say::{self, State};
use crate::workspace::Workspace;

/// Installs the tools if they are missing, broken or their list has changed.
pub(super) fn ensure(workspace: &Workspace) -> Result<()> {
    let requirements = workspace.root().join("crates/xtask/tools/requirements.txt");
    let folder = workspace.tools().join("python");
    let python = folder.join("bin/python");
    let stamp = Stamp::of(std::slice::from_ref(&requirements), &folder)?;
    // The environment leans on the system's Python, which may have gone since.
    let works = process::output(Command::new(&python).arg("--version")).is_some();
    if works && stamp.is_current() {
        say::state(State::Present, "python tools");
        return Ok(());
    }
    say::state(State::Missing, "python tools of crates/xtask/tools/requirements.txt");
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    process::run(install.arg(&requirements))?;
    stamp.write()?;
    say::state(State::Installed, "python tools");
    Ok(())
}
